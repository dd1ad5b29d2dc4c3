"""How bringing the search index up to date is told."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.cli.output import Output
    from holdfact.engine.plan import SyncReport

__all__ = ["report_damage", "report_sync", "sync_text"]


def sync_text(report: SyncReport) -> str:
    """What a sync did, in a line."""
    parts = [
        f"{count} {word}"
        for count, word in (
            (report.added, "added"),
            (report.changed, "changed"),
            (report.deleted, "removed"),
        )
        if count
    ]
    done = ", ".join(parts) or ("nothing to index" if report.is_built else "up to date")
    skipped = f"; {len(report.skipped)} skipped" if report.skipped else ""
    return f"{done} in {report.seconds:.1f} s{skipped}"


def report_sync(out: Output, report: SyncReport) -> None:
    """Say what was indexed where there was no index before."""
    what = "built the search index" if report.is_built else "another process built the search index"
    out.note(f"holdfact: {what}: {sync_text(report)}")


def report_damage(out: Output, report: SyncReport) -> None:
    """Say that the index was damaged and is built anew; nothing when it was whole."""
    if report.damage is not None:
        out.note(f"holdfact: {report.damage}; built it anew: {sync_text(report)}")
