"""The page of settings and their environment variables, from the table of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools.pages.markdown import code, table

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["render", "variable"]

INTRODUCTION = """# Configuration

A setting counts from the first of: the command's option, the environment variable, the project's
`holdfact.toml`, the user's `config.toml`, the default. Three settings have an option: `facts.root`
(`--moa-home`), `recall.mode` (`--mode`) and `recall.k` (`-k`). `holdfact config show` says where
each value comes from, `holdfact config keys` what each may be. A setting that needs trust counts
from a project's file only after `holdfact config trust`.

"""


FILES = {"project": "`holdfact.toml`", "user": "`config.toml`"}


def variable(key: str) -> str:
    """The environment variable of a key: `recall.k` → `HOLDFACT_RECALL_K`."""
    return "HOLDFACT_" + key.upper().replace(".", "_")


def render(keys: Sequence[Any]) -> str:
    """The page: a heading for each section and each key of it."""
    parts = []
    section = ""
    for key in keys:
        head = key.name.partition(".")[0]
        if head != section:
            section = head
            parts.append(f"## [{section}]\n\n")
        parts.append(_key(key))
    return INTRODUCTION + "".join(parts)


def _key(key: Any) -> str:  # noqa: ANN401 - a row of the product's table, read by its field names
    rows = [
        ("type", code(getattr(key.type, "__name__", key.type))),
        ("default", code(_toml(key.default)) or "none"),
        ("environment variable", _variable(key)),
        ("file", " or ".join(FILES[place] for place in key.places if place in FILES)),
        ("needs trust", "yes" if key.needs_trust else "no"),
    ]
    return f"### {key.name}\n\n{key.meaning}\n\n{table(('', ''), rows)}"


def _variable(key: Any) -> str:  # noqa: ANN401 - as above
    return code(variable(key.name)) if "environment" in key.places else "none"


def _toml(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    if isinstance(value, str):
        return f'"{value}"'
    return str(value)
