"""`holdfact status`: what is stored, indexed and stale."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import FACT_CODES, Command
from holdfact.core.words import counted, size_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.session import Session
    from holdfact.engine.engine import Status as EngineStatus
    from holdfact.ops.status import Place, Status

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments of its own


def _run(args: argparse.Namespace, session: Session) -> int:
    del args
    from holdfact.ops.answers import status_fields

    status = session.memory(migrates=False).status()
    session.out.answer(
        status_fields(status),
        plain=lambda: [
            ("root", status.root),
            ("facts", status.facts),
            ("problems", len(status.problems)),
            ("generation", status.engine.generation),
            ("sources", status.engine.documents),
            ("stale", len(status.engine.stale)),
            ("skipped", len(status.engine.skipped)),
            ("engine_error", status.engine_error and status.engine_error.code),
            *((name, place.path, place.bytes) for name, place in status.places._asdict().items()),
        ],
        human=lambda: _human(status),
    )
    return 0


def _human(status: Status) -> Iterator[str]:
    yield from _facts(status)
    yield from _engine(status.engine) if status.engine_error is None else _fault(status)
    yield _place("state", status.places.state)
    yield _place("  index", status.places.search_index)


def _facts(status: Status) -> Iterator[str]:
    yield escape.line(f"project   {status.root}")
    places = status.places
    yield f"facts     {status.facts}"
    yield _place("  project", places.project_facts)
    yield _place("  global", places.global_facts)
    for path, reason in status.problems:
        yield escape.line(f"  problem: {path}: {reason}")


def _engine(engine: EngineStatus) -> Iterator[str]:
    if engine.generation is None:
        yield f"engine    not built yet; {counted(len(engine.stale), 'source')} to index"
        return
    state = f"{len(engine.stale)} stale" if engine.stale else "up to date"
    skipped = f", {len(engine.skipped)} skipped" if engine.skipped else ""
    sources = counted(engine.documents, "source")
    yield f"engine    generation {engine.generation}, {sources}, {state}{skipped}"
    if engine.stale:
        yield "          recall brings it up to date by itself"


def _fault(status: Status) -> Iterator[str]:
    if status.engine_error is not None:
        yield escape.line(f"engine    {status.engine_error.message}")
        yield escape.line(f"          {status.engine_error.hint}")


def _place(label: str, place: Place) -> str:
    return escape.line(f"{label:<9} {place.path} ({size_text(place.bytes)})")


COMMAND = Command(
    description="Tell what is stored, where, and what is indexed and stale. It writes and migrates"
    " nothing. A search index that can't be read is told with what mends it; the rest is told all"
    " the same, with exit code 0 (with --json see engine.error).",
    examples=(
        ("holdfact status", "in a glance"),
        ("holdfact status --json", "with each stale source and each skip"),
    ),
    exit_status=((20, "the project can't be listed"), *FACT_CODES),
    configure=_configure,
    run=_run,
)
