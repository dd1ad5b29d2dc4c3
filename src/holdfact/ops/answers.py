"""The JSON shapes that every door gives: one place turns values into plain types."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.facts.fact import Memory

__all__ = ["fact_fields"]


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
