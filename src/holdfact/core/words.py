"""Numbers of things, in words for people."""

from __future__ import annotations

__all__ = ["counted", "size_text"]

_UNITS = ("KiB", "MiB", "GiB", "TiB")
_STEP = 1024


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
