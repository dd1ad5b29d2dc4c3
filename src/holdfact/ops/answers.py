"""The JSON shapes that every door gives: one place turns values into plain types."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfact.core.errors import HoldfactError
    from holdfact.core.types import Skip
    from holdfact.engine.engine import Status as EngineStatus
    from holdfact.engine.plan import SyncReport
    from holdfact.facts.fact import Memory
    from holdfact.ops.recall import Identity, Recalled, RecalledHit
    from holdfact.ops.status import Status

__all__ = [
    "engine_fields",
    "error_fields",
    "fact_fields",
    "identity_fields",
    "recall_fields",
    "skipped_fields",
    "status_fields",
    "sync_fields",
]


def fact_fields(fact: Memory) -> dict[str, str | None]:
    """A fact without its body; its path is absolute."""
    return {
        "id": fact.id,
        "scope": fact.scope.value,
        "name": fact.name,
        "description": fact.description,
        "lifecycle": fact.lifecycle.value,
        "invalidate_when": fact.invalidate_when or None,
        "path": fact.path,
    }


def recall_fields(answer: Recalled) -> dict[str, object]:
    """The answer of `recall`."""
    return {
        "query": answer.query,
        "mode": {"asked": answer.asked, "used": answer.used},
        "degraded": None if answer.degraded is None else answer.degraded._asdict(),
        "index": {"generation": answer.generation, "identity": identity_fields(answer.identity)},
        "stale": answer.stale,
        "sync_error": None if answer.synced.error is None else error_fields(answer.synced.error),
        "skipped": skipped_fields(answer.skipped),
        "ignore_known": answer.ignore_known,
        "total": answer.total,
        "hits": [_hit_fields(hit) for hit in answer.hits],
    }


def error_fields(err: HoldfactError) -> dict[str, object]:
    """An error, or what would be one if it were not a part of an answer."""
    return {
        "code": err.code,
        "message": err.message,
        "hint": err.hint,
        "retryable": err.retryable,
    }


def identity_fields(identity: Identity) -> dict[str, object]:
    """The identity of the vectors."""
    return {**identity._asdict(), "changed": list(identity.changed)}


def skipped_fields(skipped: Iterable[Skip]) -> list[dict[str, str]]:
    """Sources that are not indexed."""
    return [{"path": skip.path, "reason": skip.reason} for skip in skipped]


def sync_fields(report: SyncReport) -> dict[str, object]:
    """What a sync did that brought the search index up to date."""
    fields = {**report._asdict(), "skipped": skipped_fields(report.skipped)}
    del fields["error"]
    fields["built"] = fields.pop("is_built")
    return fields


def engine_fields(engine: EngineStatus) -> dict[str, object]:
    """The state of the search index."""
    return {
        "generation": engine.generation,
        "sources": engine.documents,
        "facts": engine.facts,
        "chunks": engine.chunks,
        "bytes": engine.bytes,
        "stale": engine.stale,
        "skipped": skipped_fields(engine.skipped),
        "current_settings": engine.is_identity_current,
    }


def status_fields(status: Status) -> dict[str, object]:
    """The status of a project. There is no committed index: its part says so by its empty file."""
    return {
        "root": status.root,
        "facts": status.facts,
        "problems": [{"path": path, "reason": reason} for path, reason in status.problems],
        "engine": {
            **engine_fields(status.engine),
            "error": None if status.engine_error is None else error_fields(status.engine_error),
        },
        "index": {
            "file": None,
            "stale": False,
            "stale_reasons": [],
            "patterns_without_files": [],
        },
        "identity": identity_fields(status.identity),
        "provider": status.provider,
        "places": {name: place._asdict() for name, place in status.places._asdict().items()},
    }


def _hit_fields(hit: RecalledHit) -> dict[str, object]:
    fields = hit._asdict()
    fields["lines"] = list(hit.lines)
    fields["matches"] = [list(match) for match in hit.matches]
    fields["lexical"] = None if hit.lexical is None else hit.lexical._asdict()
    fields["vector"] = None if hit.vector is None else hit.vector._asdict()
    return fields
