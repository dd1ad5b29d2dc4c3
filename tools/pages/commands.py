"""The page of commands and options, from the argument parser."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tools.pages.markdown import code, table

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["render", "walk"]

INTRODUCTION = """# Commands

The same in Python: [Python library](python.md).

"""


def walk(
    parser: argparse.ArgumentParser, help_text: str = ""
) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Each command with its one-line help and its parser, the program itself first."""
    yield parser.prog, help_text, parser
    for action in _groups(parser):
        help_of = {choice.dest: choice.help or "" for choice in action._get_subactions()}  # noqa: SLF001 - argparse has no public way to its tree
        seen: set[int] = set()
        for name, child in action.choices.items():
            if id(child) not in seen:  # an alias is the same parser again
                seen.add(id(child))
                yield from walk(child, help_of.get(name, ""))


def render(parser: argparse.ArgumentParser) -> str:
    """The page: a heading for each command, a row for each of its arguments and options."""
    return INTRODUCTION + "".join(_command(*command) for command in walk(parser))


def _groups(
    parser: argparse.ArgumentParser,
) -> list[argparse._SubParsersAction[argparse.ArgumentParser]]:
    return [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]  # noqa: SLF001 - as above


def _command(name: str, help_text: str, parser: argparse.ArgumentParser) -> str:
    about = [text.strip() for text in (parser.description or help_text,) if text and text.strip()]
    if parser.epilog:
        about.append(f"```text\n{parser.epilog.strip(chr(10)).replace('%%', '%')}\n```")
    rows = [
        (_spelling(action), _meaning(action, name))
        for action in parser._actions  # noqa: SLF001 - as above
        if action.help != argparse.SUPPRESS
        and not isinstance(action, argparse._SubParsersAction | argparse._HelpAction)  # noqa: SLF001 - as above
    ]
    text = "\n\n".join(about)
    return f"## {name}\n\n{text}{chr(10) * 2 if text else ''}{table(('Argument', 'Meaning'), rows)}"


def _spelling(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else _metavar(action)
    if not action.option_strings:
        return code(f"[{value}]" if action.nargs in {"?", "*"} else value)
    return ", ".join(code(f"{option} {value}".strip()) for option in action.option_strings)


def _metavar(action: argparse.Action) -> str:
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    if action.metavar:
        return action.metavar
    if action.choices:
        return "{" + ",".join(str(choice) for choice in action.choices) + "}"
    return action.dest.upper()


def _meaning(action: argparse.Action, prog: str) -> str:
    values = {**vars(action), "prog": prog}
    text = (action.help or "") % values if action.help else ""
    says_nothing = any(action.default is each for each in (None, False, True, argparse.SUPPRESS))
    if action.option_strings and not says_nothing and "default" not in text:
        text = f"{text} (default: {action.default})"
    return f"{text} (required)" if action.required and action.option_strings else text
