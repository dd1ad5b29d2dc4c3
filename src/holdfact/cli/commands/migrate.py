"""`holdfact migrate`: take over facts from older places."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import FACT_CODES, Command
from holdfact.core.errors import FileUnreadable
from holdfact.core.words import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any

    from holdfact.cli.session import Session
    from holdfact.facts.migrations.report import MigrationReport

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments of its own


def _run(args: argparse.Namespace, session: Session) -> int:
    del args
    memory = session.memory(migrates=False)
    report = memory.migration_plan()
    _refuse_failed(report)
    if report.copied:
        session.confirm(
            _fields(report, is_applied=False),
            plain=_rows(report),
            human=_lines(report, "would copy"),
            question=f"Copy {counted(len(report.copied), 'fact')}?",
        )
        report = memory.migrate()
        _refuse_failed(report)
    done = report
    session.out.answer(
        _fields(done, is_applied=bool(done.copied)),
        plain=lambda: _rows(done),
        human=lambda: _lines(done, "copied"),
    )
    return 0


def _refuse_failed(report: MigrationReport) -> None:
    if report.error:
        raise FileUnreadable(f"can't take over older facts: {report.error}")


def _fields(report: MigrationReport, *, is_applied: bool) -> dict[str, Any]:
    return {
        "plan": [
            {"action": "copy", "from": one.source, "name": one.name, "kept_as": one.kept_as}
            for one in report.copied
        ],
        "skipped": list(report.skipped),
        "orphans": [one._asdict() for one in report.orphans],
        "pending": [one._asdict() for one in report.pending],
        "edited_in_old_store": list(report.edited_in_old_store),
        "notes": list(report.notes),
        "applied": is_applied,
    }


def _rows(report: MigrationReport) -> Iterator[tuple[str, str, str]]:
    for one in report.copied:
        yield "copy", one.source, one.kept_as
    for path in report.edited_in_old_store:
        yield "edited", path, ""
    for store in report.orphans:
        yield "orphan", store.hash, store.cwd


def _lines(report: MigrationReport, verb: str) -> Iterator[str]:
    for one in report.copied:
        yield escape.line(f"{verb} {one.source} as project/{one.kept_as}")
    for path in report.edited_in_old_store:
        yield escape.line(f"changed in the old place after it was copied: {path}")
    for store in report.orphans:
        facts = counted(store.facts, "fact")
        yield escape.line(f"{facts} of an unknown project in {store.hash} {store.cwd}".rstrip())
    for note in report.notes:
        yield escape.line(note)
    if not report.copied:
        yield "nothing to take over"


COMMAND = Command(
    description="Copy the facts that older programs kept by folder to where this project's facts"
    " live now. Old files stay as they are, and nothing is overwritten. The daily commands do the"
    " same once; this one shows the plan first.",
    examples=(
        ("holdfact migrate", "show what would be copied"),
        ("holdfact migrate --yes", "copy it"),
    ),
    exit_status=((2, "the command line is wrong, or --yes is missing"), *FACT_CODES),
    configure=_configure,
    run=_run,
)
