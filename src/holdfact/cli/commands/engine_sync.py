"""`holdfact engine sync`: bring the search index up to date."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import ENGINE_CODES, FACT_CODES, Command
from holdfact.cli.synced import report_damage, sync_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.session import Session
    from holdfact.engine.plan import SyncReport

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments of its own


def _run(args: argparse.Namespace, session: Session) -> int:
    del args
    from holdfact.ops.answers import sync_fields

    memory = session.memory()
    progress = session.out.progress("indexing")
    try:
        report = memory.sync(progress=progress)
    finally:
        progress.close()
    report_damage(session.out, report)
    session.out.answer(
        sync_fields(report),
        plain=lambda: [(report.added, report.changed, report.deleted, len(report.skipped))],
        human=lambda: _human(report),
    )
    return 0


def _human(report: SyncReport) -> Iterator[str]:
    yield sync_text(report)
    for skip in report.skipped:
        yield escape.line(f"skipped {skip.path}: {skip.reason}")
    for path in report.stale:
        yield escape.line(f"stale {path}")


COMMAND = Command(
    description="Bring the search index up to date with the facts and documents on disk. `recall`"
    " does this by itself; after an interruption it goes on where it stopped. Where sources changed"
    " and the index can't be written, that is an error; `recall` then answers from what was.",
    examples=(
        ("holdfact engine sync", "index what changed, before the first recall or in a hook"),
    ),
    exit_status=(*ENGINE_CODES, *FACT_CODES),
    configure=_configure,
    run=_run,
)
