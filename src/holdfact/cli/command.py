"""What a verb's module defines: how it is called, what it does, how it is explained."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from holdfact.cli.session import Session

__all__ = ["ENGINE_CODES", "FACT_CODES", "Command"]

# Meanings of exit codes that many verbs share.
FACT_CODES = (
    (40, "the configuration is wrong"),
    (50, "a file can't be read"),
    (51, "a file can't be written (disk full, read-only)"),
    (52, "another process holds a lock"),
)
ENGINE_CODES = (
    (20, "the search index can't be opened or built"),
    (21, "the search index is damaged"),
    (22, "a newer holdfact wrote the search index"),
    (23, "another process holds the search index"),
)
_ALWAYS = ((1, "internal fault"), (2, "the command line is wrong"), (130, "stopped with Ctrl-C"))


class Command(NamedTuple):
    """One verb.

    Attributes:
        description: what it does, in a few sentences.
        examples: command lines with what they are for; shown first in the help.
        exit_status: its exit codes beside those of every command.
        configure: adds its arguments to a parser.
        run: does it, and returns the exit code.
    """

    description: str
    examples: tuple[tuple[str, str], ...]
    exit_status: tuple[tuple[int, str], ...]
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Session], int]

    def exit_table(self) -> list[tuple[int, str]]:
        """Every exit code of the command with its meaning, in order."""
        codes = {0: "done", **dict(_ALWAYS), **dict(self.exit_status)}
        return sorted(codes.items())
