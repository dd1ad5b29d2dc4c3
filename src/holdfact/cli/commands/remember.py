"""`holdfact remember`: write one fact."""

from __future__ import annotations

from holdfact.cli.command import FACT_CODES, Command
from holdfact.core.errors import FileUnreadable, UsageError
from holdfact.core.limits import MAX_DESCRIPTION_BYTES, MAX_FACT_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.output import Output
    from holdfact.cli.session import Session
    from holdfact.ops.remember import Remembered

__all__ = ["COMMAND"]

_STDIN = "-"
_EXAMPLE_ENDING = (
    'holdfact remember freeze --scope project --description "No deploys until the audit"'
    ' --invalidate-when "when 2031-01-31 has passed"'
)
_EXAMPLE_BODY = (
    "git log -5 | holdfact remember last-work --scope project --durable"
    ' --description "What was done last" --file -'
)


def _configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", metavar="NAME", help="a slug: lower-case words and digits joined by hyphens")
    add(
        "--scope",
        choices=("project", "global"),
        required=True,
        help="project: this repository and all its worktrees; global: everywhere",
    )
    add(
        "--description",
        metavar="TEXT",
        required=True,
        help="the one line that reaches a prompt;"
        f" at most {MAX_DESCRIPTION_BYTES} bytes, no line break",
    )
    lifecycle = parser.add_mutually_exclusive_group(required=True)
    lifecycle.add_argument("--durable", action="store_true", help="it stays true")
    lifecycle.add_argument(
        "--invalidate-when",
        metavar="TEXT",
        help='it is true until a condition that can be checked, as "when 2031-01-01 has passed"',
    )
    body = parser.add_mutually_exclusive_group()
    body.add_argument(
        "--body",
        metavar="TEXT",
        help=f"the text that is read on demand; the whole file has at most {MAX_FACT_BYTES} bytes",
    )
    body.add_argument("--file", metavar="PATH", help="read the body from a file; - is stdin")
    add(
        "--if-match",
        metavar="SHA256",
        help="refuse when the fact is not the one with this sha256 (see read --json)",
    )


def _run(args: argparse.Namespace, session: Session) -> int:
    from holdfact.facts import Lifecycle, Memory, parse_scope

    fact = Memory(
        name=args.name,
        description=args.description,
        scope=parse_scope(args.scope),
        body=_body(args, session),
        invalidate_when=args.invalidate_when or "",
        lifecycle=Lifecycle.DURABLE if args.durable else Lifecycle.CONDITIONAL,
    )
    done = session.memory().remember(fact, if_match=args.if_match)
    _print(session.out, done)
    return 0


def _body(args: argparse.Namespace, session: Session) -> str:
    if args.file is None:
        return args.body or ""
    if args.file == _STDIN:
        return session.read_input()
    from holdfact.core.files import read_bounded
    from holdfact.core.limits import MAX_INPUT_BYTES

    if not args.file:
        raise UsageError("--file names no file", hint="use - for standard input")
    try:
        data = read_bounded(session.path(args.file), MAX_INPUT_BYTES)
    except FileUnreadable as err:
        hint = err.hint or "name a readable file; --file - takes what comes through a pipe"
        raise type(err)(err.message, hint=hint) from err
    return data.decode("utf-8", "surrogateescape")


def _print(out: Output, done: Remembered) -> None:
    index = done.prompt_index

    def human() -> Iterator[str]:
        yield f"remembered {done.id}"

    data = {
        "id": done.id,
        "path": done.path,
        "sha256": done.sha256,
        "note": done.note,
        "index": {
            "used_bytes": index.used_bytes,
            "budget_bytes": index.budget_bytes,
            "facts": index.facts,
            "dropped": index.dropped,
        },
    }
    out.answer(data, plain=lambda: [(done.id, done.path, done.sha256)], human=human)
    if done.note and not out.is_json:
        out.afterword(done.note)


COMMAND = Command(
    description="Write one fact: one idea, in a file of its own that people can read and edit."
    " A fact of that name is replaced whole; header lines that are not ours are kept.",
    examples=(
        (
            'holdfact remember ci-port --scope project --durable --description "CI uses port 3306"',
            "something that stays true in this repository",
        ),
        (_EXAMPLE_ENDING, "something that ends"),
        (_EXAMPLE_BODY, "with a body from another program"),
    ),
    exit_status=(
        (12, "a value breaks a rule or a limit"),
        (13, "the fact changed since it was read (--if-match)"),
        (15, "the fact's file can't be read as a fact"),
        (16, "git does not say which repository this linked worktree belongs to"),
        *FACT_CODES,
    ),
    configure=_configure,
    run=_run,
)
