"""What a verb's module defines: how it is called, what it does, how it is explained."""

from __future__ import annotations

from holdfact.core.errors import UsageError
from holdfact.core.limits import MAX_QUERY_CHARS
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from holdfact.cli.session import Session

__all__ = [
    "CONFIG_CODES",
    "EMPTY",
    "ENGINE_CODES",
    "FACT_CODES",
    "UNWRITABLE",
    "Command",
    "found_code",
    "query_text",
]

EMPTY = (4, "nothing was found, with --fail-empty")

# Meanings of exit codes that many verbs share.
UNWRITABLE = (51, "a file can't be written (disk full, read-only)")
CONFIG_CODES = ((40, "the configuration is wrong"), (50, "a file can't be read"))
FACT_CODES = (*CONFIG_CODES, UNWRITABLE, (52, "another process holds a lock"))
ENGINE_CODES = (
    (20, "the search index can't be opened or built"),
    (21, "the search index is damaged"),
    (22, "a newer holdfact wrote the search index"),
    (23, "another process holds the search index"),
)
_ALWAYS = ((1, "internal fault"), (2, "the command line is wrong"), (130, "stopped with Ctrl-C"))
_STDIN = "-"


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


def found_code(args: argparse.Namespace, count: int) -> int:
    """The exit code of a command that found `count` things."""
    return EMPTY[0] if args.fail_empty and not count else 0


def query_text(query: str, session: Session) -> str:
    """The query as typed, or from standard input for `-`.

    Raises:
        UsageError: it is blank or too long.
    """
    if query == _STDIN:
        query = session.read_input().rstrip("\n")
    # The system gives bytes that its locale does not know as surrogates, also when they are UTF-8.
    query = query.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if not query.strip():
        raise UsageError("the query is blank", hint="give the words to look for")
    if len(query) > MAX_QUERY_CHARS:
        raise UsageError(
            f"the query has {len(query)} characters; the limit is {MAX_QUERY_CHARS}",
            hint="ask for fewer words",
        )
    return query
