"""The page of errors and exit codes, from the error classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tools.pages.markdown import code, table

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["render"]

# Exit codes that no error class stands for.
_OTHERS = {
    0: "done; also when nothing was found",
    4: "with `--fail-empty`: nothing was found",
}
INTRODUCTION = """# Errors and exit codes

Every error says what happened, to which file or row, and what mends it. With `--json` it is one
object on standard output: `{"schema", "error": {"code", "message", "hint", "retryable"}}`. A script
goes by `code`, or by the exit code; an exit code that it does not know is a failure.

## Exit codes

"""


class ErrorClass(Protocol):
    """What the page reads of a class."""

    __name__: str
    code: str
    exit_code: int
    hint: str
    retryable: bool


def render(classes: Iterable[type]) -> str:
    """The page; its headings are the names of the classes, in the order of the tree."""
    known = [cls for cls in classes if cls.__module__.startswith("holdfact.")]
    return INTRODUCTION + _exit_codes(known) + "".join(_section(cls) for cls in known)


def _exit_codes(classes: list[type]) -> str:
    meanings: dict[int, list[str]] = {number: [text] for number, text in _OTHERS.items()}
    for cls in classes:
        link = f"[{cls.__name__}](#{cls.__name__.lower()})"
        meanings.setdefault(_read(cls).exit_code, []).append(link)
    rows = [(str(number), ", ".join(meanings[number])) for number in sorted(meanings)]
    return table(("Exit code", "Meaning"), rows)


def _section(cls: type) -> str:
    error = _read(cls)
    rows = [
        ("code", code(error.code)),
        ("exit code", str(error.exit_code)),
        ("what to do", error.hint or "as the message says"),
        ("trying again can help", "yes" if error.retryable else "no"),
    ]
    meaning = (cls.__doc__ or "").strip().split("\n")[0]
    return f"## {cls.__name__}\n\n{meaning}\n\n{table(('', ''), rows)}"


def _read(cls: type) -> ErrorClass:
    return cls  # type: ignore[return-value]  # the attributes are class attributes
