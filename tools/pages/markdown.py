"""The few Markdown forms that the pages use."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["code", "table"]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with its closing blank line, or nothing without rows."""
    lines = [_row(row) for row in rows]
    if not lines:
        return ""
    return "\n".join([_row(heads), _row(["---"] * len(heads)), *lines]) + "\n\n"


def code(value: object) -> str:
    """As inline code; empty stays empty."""
    text = str(value)
    return f"`{text}`" if text else ""


def _row(cells: Sequence[str]) -> str:
    escaped = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
