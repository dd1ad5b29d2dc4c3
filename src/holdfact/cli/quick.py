"""A command line without mistakes, understood without argparse.

Importing argparse and making a parser costs a cold recall 3 ms, and 9 where nothing else needs
`re`. This reads the same definitions (`Command.configure`) and answers only what it understands
fully: flags, options with one value, and a fixed number of arguments. For the rest, help and every
mistake, it answers None, and argparse does it. Where both answer they answer the same: a property
test over every verb and option says so.
"""

from __future__ import annotations

from holdfact.cli.common import add_common

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

    from holdfact.cli.command import Command

__all__ = ["quick_parse"]

# What is understood of an argument's definition; any other word leaves the command to argparse.
_UNDERSTOOD = {"action", "choices", "default", "dest", "help", "metavar", "type"}


class _Arguments:
    """The values as attributes, as argparse gives them."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


class _Unclear(Exception):
    """Argparse has to look at it."""


class _Argument:
    """An option, or an argument without a name."""

    def __init__(self, names: Sequence[str], rest: dict[str, Any]) -> None:
        action = rest.get("action")
        if not _UNDERSTOOD.issuperset(rest) or action not in {None, "store_true"}:
            raise _Unclear
        long = [name for name in names if name.startswith("--")]
        name = rest.get("dest") or (long or list(names))[0].lstrip("-").replace("-", "_")
        self.dest: str = name
        self.is_flag = action == "store_true"
        self.default: object = False if self.is_flag else rest.get("default")
        self._choices: Sequence[object] | None = rest.get("choices")
        self._convert = rest.get("type", str)

    def value(self, text: str) -> object:
        try:
            value: object = self._convert(text)
        except ValueError as err:
            raise _Unclear from err
        if self._choices is not None and value not in self._choices:
            raise _Unclear
        return value


class _Definition:
    """Takes what `configure` says, as a parser of argparse would."""

    def __init__(self) -> None:
        self.options: dict[str, _Argument] = {}
        self.arguments: list[_Argument] = []

    def add_argument(self, *names: str, **rest: Any) -> None:  # noqa: ANN401 - as argparse takes them
        if rest.get("action") == "help":
            return  # help is argparse's
        one = _Argument(names, rest)
        if names[0].startswith("-"):
            self.options.update(dict.fromkeys(names, one))
        else:
            self.arguments.append(one)

    def add_argument_group(self, _title: str) -> _Definition:
        return self

    def add_mutually_exclusive_group(self, **_rest: object) -> _Definition:
        raise _Unclear


def quick_parse(command: Command, words: Sequence[str]) -> argparse.Namespace | None:
    """The arguments of a command, or None when argparse has to look at them."""
    definition = _Definition()
    try:
        command.configure(definition)  # type: ignore[arg-type]  # the part of a parser that is used
        add_common(definition, help_action="help")
        return _parsed(definition, words)
    except _Unclear:
        return None


def _parsed(definition: _Definition, words: Sequence[str]) -> argparse.Namespace:
    every = [*definition.options.values(), *definition.arguments]
    values = {one.dest: one.default for one in every}
    texts: list[str] = []
    left = list(reversed(words))
    while left:
        word = left.pop()
        if word == "-" or not word.startswith("-"):
            texts.append(word)
            continue
        name, has_value, value = word.partition("=")
        option = definition.options.get(name)
        if option is None or (has_value and (option.is_flag or not name.startswith("--"))):
            raise _Unclear
        if option.is_flag:
            values[option.dest] = True
        else:
            values[option.dest] = option.value(value if has_value else _next(left))
    if len(texts) != len(definition.arguments):
        raise _Unclear
    for argument, text in zip(definition.arguments, texts, strict=True):
        values[argument.dest] = argument.value(text)
    return _Arguments(values)  # type: ignore[return-value]  # it has the same attributes


def _next(left: list[str]) -> str:
    if not left or (left[-1].startswith("-") and left[-1] != "-"):
        raise _Unclear
    return left.pop()
