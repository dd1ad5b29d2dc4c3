"""Numbers of things, in words for people."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, noun: str) -> str:
    """`1 fact`, `2 facts`; for nouns that take an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
