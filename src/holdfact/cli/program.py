"""One run of the program: find the verb, run it, turn what happens into an exit code."""

from __future__ import annotations

import os
import sys

from holdfact.cli.output import HUMAN, JSON, PLAIN, Output, Streams
from holdfact.core.errors import HoldfactError, Interrupted, UsageError
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from holdfact.cli.command import Command
    from holdfact.cli.verbs import Verb

__all__ = ["execute"]

_DEBUG_VARIABLE = "HOLDFACT_DEBUG"
_VERSION_WORDS = ("--version",)
_HELP_WORDS = ("-h", "--help")
_DAILY_VERBS = 9


class _Line(NamedTuple):
    """A command line: the verb's full name, and all words but the verb's."""

    verb: str
    words: list[str]


def execute(
    argv: list[str],
    *,
    streams: Streams | None = None,
    environ: Mapping[str, str] = os.environ,
) -> int:
    """Run a command line.

    Args:
        argv: the words after the program's name.
        streams: where to read and write; those of the process when left out.
        environ: the environment.

    Returns:
        The exit code.
    """
    streams = streams or _process_streams()
    early = _early_output(argv, streams, environ)
    try:
        code, out = _answered(argv, streams, environ, early)
        out.flush()
    except BrokenPipeError:
        _silence(streams)
        return 0  # the reader has what it wanted
    except KeyboardInterrupt:
        return _failed(early, streams, Interrupted("stopped"))
    except HoldfactError as err:  # standard output refused
        return _failed(early, streams, err)
    return code


def _answered(
    argv: list[str], streams: Streams, environ: Mapping[str, str], out: Output
) -> tuple[int, Output]:
    """Run the verb; the exit code, and the output that holds the answer or the error."""
    try:
        line = _split(argv)
        args = _parsed(line) if line.verb else _overview(line.words)
        if isinstance(args, str):
            out.raw(args)
            return 0, out
        out = _output(args, streams, environ)
        return _run_verb(line.verb, args, out, streams, environ), out
    except HoldfactError as err:
        out.fail(err)
        return err.exit_code, out
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as err:  # noqa: BLE001 - a fault of the program itself is told in one line
        out.fail(_fault(err, environ))
        return HoldfactError.exit_code, out


def _split(argv: list[str]) -> _Line:
    """Find the verb: the first word that is no option, and for a group the next one."""
    verb, words = _take_word(argv)
    if verb is None:
        return _Line("", words)
    if verb == "help":
        return _split(["--help", *words])
    known = _known(verb, "")
    if known.module:
        return _Line(verb, words)
    name, rest = _take_word(words)
    if name is None:
        if _is_help(words):
            return _Line("", [verb, *words])
        raise UsageError(
            f"holdfact {verb} needs a command: {', '.join(_names(verb))}",
            hint=f"holdfact {verb} --help",
        )
    _known(name, verb)
    return _Line(f"{verb} {name}", rest)


def _take_word(words: list[str]) -> tuple[str | None, list[str]]:
    from holdfact.cli.verbs import WITH_VALUE

    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            break
        if word == "-" or not word.startswith("-"):
            return word, words[:at] + words[at + 1 :]
        at += 2 if word in WITH_VALUE else 1
    return None, words


def _names(group: str) -> list[str]:
    from holdfact.cli.verbs import visible

    return visible(group)


def _known(name: str, group: str) -> Verb:
    from holdfact.cli.verbs import children

    verbs = children(group)
    if name in verbs:
        return verbs[name]
    from holdfact.cli.suggest import nearest

    program = f"holdfact {group}".strip()
    guess = nearest(name, _names(group))
    hint = f"did you mean {program} {guess}?" if guess else f"{program} --help"
    raise UsageError(f"there is no command {program} {name or repr(name)}", hint=hint)


def _is_help(words: list[str]) -> bool:
    options = words[: words.index("--")] if "--" in words else words
    return any(word in _HELP_WORDS for word in options)


def _parsed(line: _Line) -> argparse.Namespace | str:
    """The arguments of a verb, or its help when that was asked for."""
    from holdfact.cli.quick import quick_parse
    from holdfact.cli.verbs import VERBS, load_command

    command = load_command(VERBS[line.verb])
    args = quick_parse(command, line.words) or _carefully(line, command)
    if isinstance(args, str):
        return args
    if args.json and args.plain:
        raise UsageError("--json and --plain exclude each other", hint="use one of them")
    return args


def _carefully(line: _Line, command: Command) -> argparse.Namespace | str:
    from holdfact.cli.parser import HelpAsked, command_parser

    parser = command_parser(line.verb, command)
    try:
        return parser.parse_words(line.words)
    except HelpAsked:
        return parser.format_help()


def _run_verb(
    verb: str,
    args: argparse.Namespace,
    out: Output,
    streams: Streams,
    environ: Mapping[str, str],
) -> int:
    from holdfact.cli.session import Session
    from holdfact.cli.verbs import VERBS, load_command

    session = Session(args, out, streams, environ)
    try:
        return load_command(VERBS[verb]).run(args, session)
    finally:
        session.tell_uncertain()


def _overview(words: list[str]) -> str:
    """What a line without a verb asks for: the version or the help.

    Raises:
        UsageError: it asks for nothing.
    """
    if any(word in _VERSION_WORDS for word in words):
        from holdfact import __version__

        return f"holdfact {__version__}\n"
    if _is_help(words):
        from holdfact.cli.overview import overview

        group, _ = _take_word(words)
        return overview(group or "")
    _refuse_unknown([word for word in words if word.startswith("--") and word != "--"])
    daily = ", ".join(_names("")[:_DAILY_VERBS])
    raise UsageError(f"no command; the daily ones are {daily}", hint="holdfact --help")


def _refuse_unknown(options: list[str]) -> None:
    from holdfact.cli.parser import Parser, add_all_common

    parser = Parser("holdfact")
    add_all_common(parser)
    parser.add_argument("--version", action="store_true")
    parser.parse_words([option for option in options if "=" not in option])


def _early_output(argv: list[str], streams: Streams, environ: Mapping[str, str]) -> Output:
    """The output for mistakes that stand before the arguments are understood."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    form = JSON if "--json" in options else HUMAN
    return Output(streams, form=form, environ=environ)


def _output(args: argparse.Namespace, streams: Streams, environ: Mapping[str, str]) -> Output:
    form = JSON if args.json else PLAIN if args.plain else HUMAN
    return Output(streams, form=form, is_quiet=args.quiet, color=args.color, environ=environ)


def _fault(err: Exception, environ: Mapping[str, str]) -> HoldfactError:
    if environ.get(_DEBUG_VARIABLE):
        raise err
    return HoldfactError(
        f"internal fault: {type(err).__name__}: {err}",
        hint=f"this is a mistake in holdfact; {_DEBUG_VARIABLE}=1 shows where it happened",
    )


def _failed(out: Output, streams: Streams, err: HoldfactError) -> int:
    """Report an error that came while the answer was written, or with Ctrl-C."""
    out.fail(err)
    try:
        out.flush()
    except (OSError, HoldfactError, KeyboardInterrupt):
        out.form = HUMAN
        out.fail(err)
    _silence(streams)
    return err.exit_code


def _process_streams() -> Streams:
    """The streams of this process. A closed one is opened on nothing first.

    Otherwise the next file that is opened would get its number, and talk would go into that file.
    """
    closed = [one is None for one in (sys.stdin, sys.stdout, sys.stderr)]
    for _ in range(sum(closed)):
        os.open(os.devnull, os.O_RDWR)
    return Streams.of_process()


def _silence(streams: Streams) -> None:
    """Keep the interpreter's last flush from failing once more, and from telling about it."""
    if sys.stdout is not None and streams.stdout is getattr(sys.stdout, "buffer", None):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
