"""The argument parser of one command: argparse, with this program's errors and help.

A mistake is raised, never printed: the caller decides whether it becomes a line or JSON. Help
shows the examples first and the exit codes last.
"""

from __future__ import annotations

import argparse
import os
import sys

from holdfact.cli.common import add_common
from holdfact.core.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, NoReturn

    from holdfact.cli.command import Command

__all__ = ["HelpAsked", "Parser", "add_all_common", "command_parser"]

_WIDTH_MOST = 100
_WIDTH_LEAST = 20
_HELP_COLUMN = 28


class HelpAsked(Exception):
    """Help was asked for."""


class _Formatter(argparse.HelpFormatter):
    """argparse's own layout; a given width keeps it from importing `shutil`."""

    def __init__(self, prog: str, **_ignored: object) -> None:
        super().__init__(prog, max_help_position=_HELP_COLUMN, width=_width())


class _HelpAction(argparse.Action):
    def __init__(self, option_strings: Sequence[str], **_ignored: object) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help="show this help and stop")

    def __call__(self, *_: object) -> NoReturn:
        raise HelpAsked


class Parser(argparse.ArgumentParser):
    """A parser that raises `UsageError`, and knows the examples and exit codes of its command.

    Args:
        prog: how the command is called.
        command: what it is; None for the overview and for groups.
        **kwargs: as argparse takes them.
    """

    def __init__(self, prog: str, *, command: Command | None = None, **kwargs: Any) -> None:  # noqa: ANN401 - argparse's own
        self.command = command
        self.common: argparse._ArgumentGroup | None = None
        super().__init__(
            prog=prog, formatter_class=_Formatter, add_help=False, allow_abbrev=False, **kwargs
        )
        if command is not None:
            self.description = command.description
            self.epilog = f"{_examples(command)}\n\n{_exit_status(command)}"

    def error(self, message: str) -> NoReturn:
        """Raise the mistake instead of leaving the process."""
        raise UsageError(f"{message[:1].lower()}{message[1:]}", hint=_hint(self.prog, message))

    def parse_words(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments of a command line.

        Raises:
            UsageError: one is wrong.
            HelpAsked: `-h` or `--help` is among them.
        """
        self._refuse_unknown(words)
        known, left = self.parse_known_args(words)
        if left[:1] == ["--"]:
            del left[0]  # a parser without arguments leaves it
        if left and left[0].startswith("-") and left[0] != "-":
            self._refuse_option(left[0])
        if left:
            raise UsageError(
                f"unexpected argument {left[0]!r}",
                hint=f"quote text that has spaces; {self.prog} --help",
            )
        return known

    def actions(self) -> list[argparse.Action]:
        """Every argument and option."""
        return self._actions

    def format_help(self) -> str:
        """Examples, usage, arguments, options, exit codes."""
        command = self.command
        if command is None:
            return super().format_help()
        formatter = self._get_formatter()
        common = self.common._group_actions if self.common else []  # noqa: SLF001 - as below
        own = [action for action in self._actions if action not in common]
        formatter.add_usage(self.usage, own, self._mutually_exclusive_groups, "Usage: ")
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)  # noqa: SLF001 - argparse's own way
            formatter.end_section()
        about = "\n".join(_wrapped(command.description))
        parts = (about, _examples(command), formatter.format_help().strip(), _exit_status(command))
        return "\n\n".join(parts) + "\n"

    def _refuse_unknown(self, words: Sequence[str]) -> None:
        for word in words:
            if word == "--":
                return
            if not word.startswith("--") or " " in word:
                continue
            name = word.split("=", 1)[0]
            if name not in self._option_string_actions:
                self._refuse_option(name)

    def _refuse_option(self, name: str) -> NoReturn:
        from holdfact.cli.suggest import nearest

        guess = nearest(name, list(self._option_string_actions))
        hint = f"did you mean {guess}?" if guess else f"{self.prog} --help"
        raise UsageError(f"{self.prog} has no option {name}", hint=hint)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:  # noqa: ANN401 - argparse's own
        # `--option=--` gives the value `--`; older argparse drops it as the end of the options.
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            return self._get_value(action, arg_strings[0])
        return super()._get_values(action, arg_strings)


def command_parser(name: str, command: Command) -> Parser:
    """The parser of one command with its own and the common options."""
    parser = Parser(f"holdfact {name}", command=command)
    parser._positionals.title = "Arguments"  # noqa: SLF001 - argparse has no other way
    parser._optionals.title = "Options"  # noqa: SLF001 - as above
    command.configure(parser)
    add_all_common(parser)
    return parser


def add_all_common(parser: Parser) -> None:
    """Add the options that every command takes, help among them."""
    parser.common = add_common(parser, help_action=_HelpAction)


def _examples(command: Command) -> str:
    lines = ["Examples:"]
    for words, meaning in command.examples:
        lines += [f"  # {meaning}", f"  {words}"]
    return "\n".join(lines)


def _exit_status(command: Command) -> str:
    rows = [f"  {code:<4} {meaning}" for code, meaning in command.exit_table()]
    return "\n".join(["EXIT STATUS", *rows])


def _wrapped(text: str) -> Iterable[str]:
    import textwrap

    return textwrap.wrap(text, _width())


def _width() -> int:
    try:
        columns = os.get_terminal_size(sys.__stdout__.fileno() if sys.__stdout__ else 1).columns
    except (OSError, ValueError):
        columns = _WIDTH_MOST
    return max(_WIDTH_LEAST, min(columns, _WIDTH_MOST) - 2)


def _hint(prog: str, message: str) -> str:
    if "expected one argument" in message:
        return "write --option=VALUE when the value begins with a dash"
    return f"{prog} --help"
