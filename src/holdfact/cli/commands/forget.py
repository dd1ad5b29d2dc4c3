"""`holdfact forget`: delete one fact."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import FACT_CODES, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from holdfact.cli.session import Session

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "id", metavar="ID", help="project/NAME, global/NAME, or a NAME that one scope has"
    )


def _run(args: argparse.Namespace, session: Session) -> int:
    memory = session.memory()
    plan = memory.forget_plan(args.id)
    row = {"id": plan.id, "path": plan.path, "description": plan.description}
    session.confirm(
        {"plan": [{"action": "delete", **row}], "applied": False},
        plain=[("delete", *row.values())],
        human=[escape.line(f"would delete {plan.id}: {plan.description}")],
        question=f"Delete {plan.id}?",
    )
    memory.forget(args.id, if_match=plan.sha256)
    session.out.answer(
        {"plan": [{"action": "delete", **row}], "applied": True},
        plain=lambda: [("deleted", *row.values())],
        human=lambda: [escape.line(f"deleted {plan.id}")],
    )
    return 0


COMMAND = Command(
    description="Delete one fact's file. Without --yes it shows what it would delete; on a terminal"
    " it asks.",
    examples=(
        ("holdfact forget project/ci-port", "show what would be deleted"),
        ("holdfact forget project/ci-port --yes", "delete it"),
    ),
    exit_status=(
        (2, "the command line is wrong, or --yes is missing"),
        (10, "no fact has that id"),
        (11, "both scopes have that name"),
        (12, "the id is none"),
        (13, "the fact changed while you were asked"),
        (15, "the folder of facts can't be looked into"),
        *FACT_CODES,
    ),
    configure=_configure,
    run=_run,
)
