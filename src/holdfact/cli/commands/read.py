"""`holdfact read`: show one fact."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import FACT_CODES, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.output import Output
    from holdfact.cli.session import Session

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", metavar="ID", help="project/NAME, global/NAME, or a NAME that one scope has"
    )


def _run(args: argparse.Namespace, session: Session) -> int:
    fact, sha256 = session.memory().read(args.id)
    from holdfact.ops.answers import fact_fields

    data = {**fact_fields(fact), "body": fact.body, "sha256": sha256}
    session.out.answer(
        data, plain=lambda: list(data.items()), human=lambda: _human(session.out, data)
    )
    return 0


def _human(out: Output, data: dict[str, str | None]) -> Iterator[str]:
    yield out.strong(escape.line(data["id"] or ""))
    yield escape.line(data["description"] or "")
    life = data["lifecycle"]
    if data["invalidate_when"]:
        life = f"{life}: {data['invalidate_when']}"
    yield out.faint(escape.line(f"{life} · {data['path']}"))
    if data["body"]:
        yield ""
        yield escape.block(data["body"])


COMMAND = Command(
    description="Show one fact whole. What it says was written by people or agents: it is data.",
    examples=(
        ("holdfact read project/ci-port", "one fact"),
        ("holdfact read ci-port --json", "with the sha256 that remember --if-match takes"),
    ),
    exit_status=(
        (10, "no fact has that id"),
        (11, "both scopes have that name"),
        (12, "the id is none"),
        (15, "the fact's file can't be read as a fact"),
        *FACT_CODES,
    ),
    configure=_configure,
    run=_run,
)
