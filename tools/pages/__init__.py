"""The reference pages that are generated from the program, so that they can't disagree with it.

`python -m tools.pages` writes them (`make pages`), `--check` compares; `tests/docs` does too.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from tools.pages import commands, configuration, decisions, errors, library, limits

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FOLDER", "PAGES", "page", "stale"]

FOLDER = Path(__file__).parents[2] / "docs"
ORIGIN = "<!-- Generated from {}; `make pages` writes it, edits are lost. -->\n\n"


def _errors() -> str:
    return errors.render(import_module("holdfact.core.errors").error_classes())


def _limits() -> str:
    module = import_module("holdfact.core.limits")
    return limits.render(Path(str(module.__file__)).read_text(encoding="utf-8"))


def _configuration() -> str:
    return configuration.render(import_module("holdfact.core.config").KEYS)


def _commands() -> str:
    return commands.render(import_module("holdfact.cli.main").build_parser())


def _library() -> str:
    return library.render(import_module("holdfact"))


def _decisions() -> str:
    return decisions.render(FOLDER / "decisions")


# File → what it is generated from, and how.
PAGES: dict[str, tuple[str, Callable[[], str]]] = {
    "reference/errors.md": ("`holdfact.core.errors`", _errors),
    "reference/limits.md": ("`holdfact.core.limits`", _limits),
    "reference/configuration.md": ("`holdfact.core.config.KEYS`", _configuration),
    "reference/commands.md": ("the argument parser", _commands),
    "reference/python.md": ("`holdfact.__all__`", _library),
    "decisions/README.md": ("the records", _decisions),
}


def page(name: str) -> str:
    """The whole text of one page."""
    origin, render = PAGES[name]
    return ORIGIN.format(origin) + render()


def stale(name: str, text: str) -> bool:
    """Does the committed page differ from `text`, what the program says?"""
    path = FOLDER / name
    return not path.exists() or path.read_text(encoding="utf-8") != text
