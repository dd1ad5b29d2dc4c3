"""The known word that a mistyped one most likely meant."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["nearest"]

_LONGEST = 64


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The member of `known` that looks most like `word`, or None."""
    import difflib

    found = difflib.get_close_matches(word[:_LONGEST], known, 1, 0.6)
    return found[0] if found else None
