"""Each decision record is on the index, has its parts, and is about one page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda p: p.stem)
def test_a_record_has_its_parts(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    assert re.fullmatch(r"\d{4}-[a-z0-9-]+", record.stem)
    assert text.startswith(f"# {record.stem[:4]}: ")
    lower = text.lower()
    missing = [part for part in ("context", "decision", "consequence") if part not in lower]
    assert missing == []
    assert text.count("\n") <= 80


def test_numbers_are_used_once() -> None:
    numbers = [record.stem[:4] for record in RECORDS]
    assert sorted(set(numbers)) == numbers
