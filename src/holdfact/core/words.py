"""What messages are made of: numbers of things, and values that are no text."""

from __future__ import annotations

__all__ = ["counted", "not_text", "size_text"]

_UNITS = ("KiB", "MiB", "GiB", "TiB")
_STEP = 1024
_SHOWN_CHARS = 80


def counted(count: int, noun: str) -> str:
    """`1 fact`, `2 facts`; for nouns that take an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def size_text(size_bytes: int) -> str:
    """`1 byte`, `1000 bytes`, `1.5 KiB`, `12.0 MiB`."""
    if size_bytes < _STEP:
        return counted(size_bytes, "byte")
    size, step = size_bytes / _STEP, 0
    while size >= _STEP and step < len(_UNITS) - 1:
        size, step = size / _STEP, step + 1
    return f"{size:.1f} {_UNITS[step]}"


def not_text(name: str, value: object) -> str:
    """What to say to a caller whose value is of another type: `the query is None, but must be…`."""
    shown = repr(value)
    if len(shown) > _SHOWN_CHARS:
        shown = shown[: _SHOWN_CHARS - 1] + "…"
    return f"{name} is {shown}, but must be text (str)"
