"""The entry point of the program; nothing but the interrupt is decided here.

Everything else is imported inside `run`, so that Ctrl-C is answered the same way while the program
is still being loaded.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import NoReturn

__all__ = ["build_parser", "main", "run"]

_INTERRUPTED = 130


def main() -> NoReturn:
    """The process of the program: run its command line, and end.

    A command lives for some milliseconds and makes no cycles worth collecting. Taking the
    interpreter apart at the end would cost a tenth of a cold recall: everything is closed and
    written by then, so the handlers of `atexit` run and the process ends.
    """
    import atexit
    import gc
    import os

    try:
        gc.disable()
        code = run()
        atexit._run_exitfuncs()  # noqa: SLF001 - there is no public way to end early and orderly
    except KeyboardInterrupt:
        code = _INTERRUPTED
    os._exit(code)


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
