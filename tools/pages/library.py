"""The page of the Python library: its public names with their docstrings."""

from __future__ import annotations

import inspect
import re
from enum import Enum
from typing import TYPE_CHECKING

from tools.pages.markdown import code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

__all__ = ["render"]

INTRODUCTION = """# Python library

Every public name of the package `holdfact`, with its documentation in the source. [Use holdfact
from Python](../how-to/use-from-python.md) shows them at work; the same on the command line:
[Commands](commands.md).

"""
_QUOTED = re.compile(r"(: |-> )'([^']*)'")  # an annotation that was not evaluated
_SECTIONS = ("Args:", "Attributes:", "Returns:", "Raises:")


def render(module: ModuleType) -> str:
    """A heading for each name, then for each of its own public methods and properties."""
    names = [name for name in module.__all__ if not name.startswith("__")]
    return INTRODUCTION + "\n".join(_entry(name, getattr(module, name)) for name in names)


def _entry(name: str, value: type) -> str:
    parts = [f"## {name}", *_described(value)]
    if signature := _constructor(name, value):
        parts.insert(1, signature)
    if issubclass(value, Enum):
        parts.append("\n".join(f"- {code(str(one))}: {code(repr(one.value))}" for one in value))
    for own_name, member in vars(value).items():
        if not own_name.startswith("_") and own_name not in getattr(value, "_fields", ()):
            parts += _member(name, own_name, member)
    return "\n\n".join(parts) + "\n"


def _constructor(name: str, value: type) -> str:
    """How a record is made; other classes are not made by their users."""
    if fields := getattr(value, "_fields", ()):
        defaults = value._field_defaults  # type: ignore[attr-defined]  # a record has them
        given = (f"{one}={_shown(defaults[one])}" if one in defaults else one for one in fields)
        return code(f"{name}({', '.join(given)})")
    return ""


def _shown(value: object) -> str:
    text = str(value)
    return text if text.isidentifier() or "." in text else repr(value)


def _member(owner: str, name: str, member: object) -> Iterator[str]:
    if isinstance(member, property):
        yield f"### {owner}.{name}"
        yield from _described(member)
    elif isinstance(member, classmethod | staticmethod) or inspect.isfunction(member):
        function = getattr(member, "__func__", member)
        yield f"### {owner}.{name}()"
        yield code(f"{owner}.{name}{_signature(function)}")
        yield from _described(function)


def _signature(function: object) -> str:
    signature = inspect.signature(function)  # type: ignore[arg-type]  # it is a function
    given = [one for name, one in signature.parameters.items() if name not in {"self", "cls"}]
    return _QUOTED.sub(r"\1\2", str(signature.replace(parameters=given)))


def _described(value: object) -> Iterator[str]:
    """The docstring as Markdown: its sections are lists."""
    rows = (inspect.getdoc(value) or "").splitlines()
    text: list[str] = []
    in_section = False
    for row in rows:
        if row in _SECTIONS:
            in_section = True
            text += ["", f"*{row}*", ""]
        elif in_section and row.startswith("    ") and not row.startswith("     "):
            name, colon, rest = row.strip().partition(":")
            text.append(f"- {code(name)}: {rest.strip()}" if colon else f"- {name}")
        elif in_section and row:
            text.append(f"  {row.strip()}")
        else:
            in_section = in_section and not row
            text.append(row)
    joined = "\n".join(text).strip()
    while "\n\n\n" in joined:
        joined = joined.replace("\n\n\n", "\n\n")
    if joined:
        yield joined
