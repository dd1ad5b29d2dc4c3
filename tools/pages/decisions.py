"""The index of decision records, from their titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["render"]

INTRODUCTION = """# Decisions

One page for each choice that is hard to take back: the context, the decision, and what it costs. A
record is not rewritten; a later one replaces it and says so.

"""


def render(folder: Path) -> str:
    """One line a record, by number."""
    records = sorted(folder.glob("[0-9]*.md"))
    return INTRODUCTION + "".join(
        f"- [{record.read_text(encoding='utf-8').partition(chr(10))[0].lstrip('# ')}]"
        f"({record.name})\n"
        for record in records
    )
