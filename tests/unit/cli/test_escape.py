"""Text from outside, made safe in each form."""

from __future__ import annotations

import json

import pytest

from holdfact.cli import escape


@pytest.mark.requirement("SPEC-CLI-40")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("naïve 成语 👩‍💻", "naïve 成语 👩‍💻"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\x9bb\x7f", "a\\x9bb\\x7f"),
        ("tab\tline\nend", "tab\\x09line\\x0aend"),
        ("\u202eright\u2028", "\\u202eright\\u2028"),
        ("caf\udce9", "caf\\xe9"),
        ("half \ud83d", "half \\ud83d"),
    ],
)
def test_a_line_shows_what_would_drive_a_terminal(text: str, expected: str) -> None:
    assert expected == escape.line(text)


def test_a_block_keeps_its_lines_and_tabs() -> None:
    assert "a\tb\n\\x1bc" == escape.block("a\tb\n\x1bc")


@pytest.mark.requirement("SPEC-CLI-11")
@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\tb", "a\\tb"), ("a\r\n", "a\\r\\n"), ("a\\b", "a\\\\b"), ("\x1b\udcff", "\\x1b\\xff")],
)
def test_a_field_is_one_cell_of_one_row(text: str, expected: str) -> None:
    assert expected == escape.field(text)


def test_json_stays_json_with_valid_unicode() -> None:
    text = {"a": "\x1b\x9b\u202e\udcff成"}
    safe = escape.json_text(json.dumps(text, ensure_ascii=False))
    assert {"a": "\x1b\x9b\u202e\ufffd成"} == json.loads(safe)
    assert not {"\x1b", "\x9b", "\u202e", "\udcff"} & set(safe)
    assert '{"a": 1}' == escape.json_text('{"a": 1}')
