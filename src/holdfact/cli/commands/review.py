"""`holdfact review`: check the conditions of facts that can expire."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import EMPTY, FACT_CODES, Command, found_code
from holdfact.core.words import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from holdfact.cli.output import Output
    from holdfact.cli.session import Session
    from holdfact.ops.review import Deletion, Verdict

__all__ = ["COMMAND"]

_EXPIRED = "expired"


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--delete-expired", action="store_true", help="delete the facts that expired; needs --yes"
    )


def _run(args: argparse.Namespace, session: Session) -> int:
    memory = session.memory()
    verdicts = memory.review()
    fields: dict[str, object] = {"facts": [verdict._asdict() for verdict in verdicts]}
    expired = [verdict for verdict in verdicts if verdict.verdict == _EXPIRED]
    if args.delete_expired and expired:
        session.confirm(
            {**fields, "plan": [{"action": "delete", "id": one.id} for one in expired]},
            plain=[("delete", one.id) for one in expired],
            human=[escape.line(f"would delete {one.id}: {one.evidence}") for one in expired],
            question=f"Delete {counted(len(expired), 'expired fact')}?",
        )
        _print_deletion(session.out, fields, memory.delete_expired(expired))
        return 0
    session.out.answer(
        fields,
        plain=lambda: verdicts,
        human=lambda: _human(session.out, verdicts),
    )
    return found_code(args, len(verdicts))


def _print_deletion(out: Output, fields: dict[str, object], done: Deletion) -> None:
    kept = [{"id": name, "reason": reason} for name, reason in done.kept]
    out.answer(
        {**fields, "deleted": list(done.deleted), "kept": kept},
        plain=lambda: [
            *(("deleted", name, "") for name in done.deleted),
            *(("kept", name, reason) for name, reason in done.kept),
        ],
        human=lambda: [
            *(escape.line(f"deleted {name}") for name in done.deleted),
            *(escape.line(f"kept {name}: {reason}") for name, reason in done.kept),
        ],
    )


def _human(out: Output, verdicts: Sequence[Verdict]) -> Iterator[str]:
    for one in verdicts:
        text = out.strong(one.verdict) if one.verdict == _EXPIRED else one.verdict
        yield f"{text}  {escape.line(one.id)}: {escape.line(one.invalidate_when)}"
        yield out.faint(f"  {escape.line(one.evidence)}")
    if not verdicts:
        yield "no fact has a condition"


COMMAND = Command(
    description="Go through the facts that hold until a condition and tell which have expired, with"
    " the evidence. Conditions that a program can check: when file PATH exists (or is gone), when"
    " git branch B is merged into C, when tag T exists, when YYYY-MM-DD has passed, when commit SHA"
    " is in BRANCH, when command NAME succeeds (names from your own [review] commands). No network,"
    " no shell. Others are shown for a person or an agent to decide.",
    examples=(
        ("holdfact review", "what has expired, and why"),
        ("holdfact review --delete-expired --yes", "delete what has expired"),
    ),
    exit_status=((2, "the command line is wrong, or --yes is missing"), EMPTY, *FACT_CODES),
    configure=_configure,
    run=_run,
)
