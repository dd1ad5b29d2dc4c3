"""White space: Unicode's property, not Python's."""

from __future__ import annotations

import sys

import pytest

from holdfact.facts.whitespace import WHITE_SPACE, collapse, is_blank, trim

pytestmark = pytest.mark.requirement("SPEC-FACT-1")


def test_python_strips_four_characters_more() -> None:
    python = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    assert {"\x1c", "\x1d", "\x1e", "\x1f"} == python - set(WHITE_SPACE)
    assert set() == set(WHITE_SPACE) - python


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a b\t", "a b"),
        ("\u2028a\u3000\x85", "a"),
        ("\x1ca\x1f", "\x1ca\x1f"),
        ("\u200ba", "\u200ba"),
        ("", ""),
    ],
)
def test_trim(text: str, expected: str) -> None:
    assert expected == trim(text)


@pytest.mark.parametrize(
    ("text", "expected"), [("", True), (" \t\xa0", True), ("\x1c", False), ("\u200b", False)]
)
def test_is_blank(text: str, expected: bool) -> None:  # noqa: FBT001 - a table's column
    assert expected is is_blank(text)


def test_collapse_makes_each_run_one_space() -> None:
    assert "a b c\x1cd" == collapse("\n a \t\u2003 b\r\nc\x1cd ")
