"""A command line without mistakes, understood without argparse.

Importing argparse and making a parser costs a tenth of a cold recall. This reads the same
definitions (`Command.configure`) and answers only what it understands fully; for the rest, help and
every mistake, it answers None, and argparse does it. Where both answer they answer the same
(a property test says so).
"""

from __future__ import annotations

from types import SimpleNamespace

from holdfact.cli.common import add_common

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any

    from holdfact.cli.command import Command

__all__ = ["quick_parse"]


class _Option:
    __slots__ = ("choices", "convert", "default", "dest", "group", "is_flag", "is_required")

    def __init__(self, names: Sequence[str], group: _Group | None, rest: dict[str, Any]) -> None:
        action = rest.get("action")
        long = [name for name in names if name.startswith("--")]
        name = rest.get("dest") or (long or list(names))[0].lstrip("-").replace("-", "_")
        self.dest: str = name
        self.group = group
        self.is_flag = action == "store_true"
        self.is_required: bool = rest.get("required", False)
        self.default: Any = False if self.is_flag else rest.get("default")
        self.choices: Sequence[str] | None = rest.get("choices")
        self.convert: Callable[[str], Any] = rest.get("type", str)


class _Group:
    """Options of which at most one (and at least one when required) is given."""

    def __init__(self, owner: _Definition, *, is_required: bool) -> None:
        self.owner = owner
        self.is_required = is_required

    def add_argument(self, *names: str, **rest: Any) -> None:  # noqa: ANN401 - as argparse takes them
        self.owner.add(names, self, rest)


class _Definition:
    """Takes what `configure` says, as a parser of argparse would."""

    def __init__(self) -> None:
        self.options: dict[str, _Option] = {}
        self.arguments: list[_Option] = []
        self.groups: list[_Group] = []
        self.is_simple = True

    def add_argument(self, *names: str, **rest: Any) -> None:  # noqa: ANN401 - as argparse takes them
        self.add(names, None, rest)

    def add_argument_group(self, _title: str) -> _Definition:
        return self

    def add_mutually_exclusive_group(self, *, required: bool = False) -> _Group:
        group = _Group(self, is_required=required)
        self.groups.append(group)
        return group

    def add(self, names: Sequence[str], group: _Group | None, rest: dict[str, Any]) -> None:
        if rest.get("action") == "help":
            return  # help is argparse's
        option = _Option(names, group, rest)
        if not names[0].startswith("-"):
            self.arguments.append(option)
            self.is_simple = self.is_simple and "nargs" not in rest
            return
        for name in names:
            self.options[name] = option


class _Unclear(Exception):
    """Argparse has to look at it."""


def quick_parse(command: Command, words: Sequence[str]) -> argparse.Namespace | None:
    """The arguments of a command, or None when argparse has to look at them."""
    definition = _Definition()
    command.configure(definition)  # type: ignore[arg-type]  # the part of a parser that is used
    add_common(definition, help_action="help")
    try:
        return _parsed(definition, words) if definition.is_simple else None
    except _Unclear:
        return None


def _parsed(definition: _Definition, words: Sequence[str]) -> argparse.Namespace:
    given: dict[_Option, Any] = {}
    texts: list[str] = []
    left = list(reversed(words))
    while left:
        word = left.pop()
        if word == "--":
            texts += reversed(left)
            break
        if word == "-" or not word.startswith("-"):
            texts.append(word)
            continue
        name, has_value, value = word.partition("=")
        option = definition.options.get(name)
        if option is None or (has_value and (option.is_flag or not name.startswith("--"))):
            raise _Unclear
        if option.is_flag:
            given[option] = True
        else:
            given[option] = _value(option, value if has_value else _next(left))
    if len(texts) != len(definition.arguments) or "--" in texts:
        raise _Unclear
    for argument, text in zip(definition.arguments, texts, strict=True):
        given[argument] = _value(argument, text)
    _check(definition, given)
    every = {*definition.options.values(), *definition.arguments}
    values = {one.dest: given.get(one, one.default) for one in every}
    return SimpleNamespace(**values)  # type: ignore[return-value]  # it has the same attributes


def _next(left: list[str]) -> str:
    if not left or (left[-1].startswith("-") and left[-1] != "-"):
        raise _Unclear
    return left.pop()


def _value(option: _Option, text: str) -> Any:  # noqa: ANN401 - whatever the option is of
    try:
        value = option.convert(text)
    except ValueError as err:
        raise _Unclear from err
    if option.choices is not None and value not in option.choices:
        raise _Unclear
    return value


def _check(definition: _Definition, given: dict[_Option, Any]) -> None:
    for group in definition.groups:
        count = len([option for option in given if option.group is group])
        if count > 1 or (group.is_required and not count):
            raise _Unclear
    for option in definition.options.values():
        if option.is_required and option not in given:
            raise _Unclear
