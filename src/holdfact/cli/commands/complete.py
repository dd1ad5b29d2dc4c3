"""`holdfact complete`: what a shell may put at the end of a command line; not for people."""

from __future__ import annotations

from holdfact.cli.command import Command
from holdfact.cli.verbs import VERBS, children, load_command, visible
from holdfact.core.errors import HoldfactError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from holdfact.cli.session import Session

__all__ = ["COMMAND"]

_TAKES_FACT = {"read", "forget"}
_TAKES_KEY = {"config get", "config set", "config unset"}


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words", nargs="*", metavar="WORD", help="the words typed so far; the last is completed"
    )


def _run(args: argparse.Namespace, session: Session) -> int:
    words: list[str] = args.words or [""]
    found = sorted({one for one in _candidates(words, session) if one.startswith(words[-1])})
    session.out.answer(
        {"candidates": found},
        plain=lambda: ((one,) for one in found),
        human=lambda: (one for one in found if one.isprintable()),
    )
    return 0


def _candidates(words: list[str], session: Session) -> Iterable[str]:
    verb = _verb(words[:-1])
    if words[-1].startswith("-"):
        return _options(verb)
    if len(words) > 1 and (values := _values(verb, words[-2])):
        return values
    if verb in VERBS and VERBS[verb].module:
        return _arguments(verb, session)
    return visible(verb)


def _verb(words: list[str]) -> str:
    """The verb that the words name so far."""
    from holdfact.cli.verbs import WITH_VALUE

    verb, at = "", 0
    while at < len(words):
        word = words[at]
        if word.startswith("-"):
            at += 2 if word in WITH_VALUE else 1
            continue
        if word not in children(verb):
            break
        verb = f"{verb} {word}".strip()
        at += 1
        if VERBS[verb].module:
            break
    return verb


def _options(verb: str) -> Iterable[str]:
    return [option for options in _by_option(verb).values() for option in options]


def _values(verb: str, option: str) -> list[str]:
    """The choices of an option that waits for its value."""
    for action, options in _by_option(verb).items():
        if option in options and action.choices:
            return [str(choice) for choice in action.choices]
    return []


def _by_option(verb: str) -> dict[argparse.Action, list[str]]:
    from holdfact.cli.parser import Parser, add_all_common, command_parser

    if verb in VERBS and VERBS[verb].module:
        parser = command_parser(verb, load_command(VERBS[verb]))
    else:
        parser = Parser("holdfact")
        add_all_common(parser)
    return {action: list(action.option_strings) for action in parser.actions()}


def _arguments(verb: str, session: Session) -> Iterable[str]:
    if verb in _TAKES_FACT:
        return _facts(session)
    if verb in _TAKES_KEY:
        from holdfact.core.config_keys import KEYS

        return [key.name for key in KEYS]
    return [
        str(choice)
        for action in _by_option(verb)
        if not action.option_strings
        for choice in action.choices or ()
    ]


def _facts(session: Session) -> Iterable[str]:
    try:
        facts = session.memory(migrates=False).list().memories
    except HoldfactError:
        return []  # a shell's completion is no place for an error
    names = [fact.name for fact in facts]
    return [*(fact.id for fact in facts), *(name for name in names if names.count(name) == 1)]


COMMAND = Command(
    description="Print the words that may stand at the end of a command line, one a line.",
    examples=(("holdfact complete -- read ci", "the facts whose name begins with ci"),),
    exit_status=(),
    configure=_configure,
    run=_run,
)
