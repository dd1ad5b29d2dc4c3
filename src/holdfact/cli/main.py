"""The entry point of the program; nothing but the interrupt is decided here.

Everything else is imported inside `run`, so that Ctrl-C is answered the same way while the program
is still being loaded.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

__all__ = ["build_parser", "run"]

_INTERRUPTED = 130


def run(argv: list[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: the words after the program's name; those of this process when left out.

    Returns:
        The exit code (see the table in `docs/reference/errors.md`).
    """
    try:
        from holdfact.cli.program import execute

        return execute(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return _INTERRUPTED


def build_parser() -> argparse.ArgumentParser:
    """The whole tree of commands and options, for the reference page and tests."""
    from holdfact.cli.tree import build_parser as build

    return build()
