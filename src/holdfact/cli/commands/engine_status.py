"""`holdfact engine status`: what the search index holds."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import ENGINE_CODES, FACT_CODES, Command
from holdfact.core.words import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.session import Session
    from holdfact.engine.engine import Status

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments of its own


def _run(args: argparse.Namespace, session: Session) -> int:
    del args
    from holdfact.ops.answers import engine_fields

    status = session.memory(migrates=False).engine_status()
    fields = engine_fields(status)
    session.out.answer(
        fields,
        plain=lambda: [
            (name, len(value) if isinstance(value, list) else value)
            for name, value in fields.items()
        ],
        human=lambda: _human(status),
    )
    return 0


def _human(status: Status) -> Iterator[str]:
    if status.generation is None:
        waiting = counted(len(status.stale), "source")
        yield f"not built yet; {waiting} to index (holdfact engine sync)"
    else:
        yield (
            f"generation {status.generation}: {counted(status.documents, 'source')},"
            f" {status.facts} of them facts, {counted(status.chunks, 'chunk')},"
            f" {status.bytes} bytes"
        )
        for path in status.stale:
            yield escape.line(f"stale {path}")
    if not status.is_identity_current:
        yield "the settings changed: the next sync builds it anew"
    for skip in status.skipped:
        yield escape.line(f"skipped {skip.path}: {skip.reason}")


COMMAND = Command(
    description="Tell what the search index holds, what is stale and what was skipped. It writes"
    " nothing.",
    examples=(("holdfact engine status", "the state of the index"),),
    exit_status=(*ENGINE_CODES, *FACT_CODES),
    configure=_configure,
    run=_run,
)
