"""Go literals, against the Go specification."""

from __future__ import annotations

import pytest

from holdfact.facts.quoting import quote, unquote

pytestmark = pytest.mark.requirement("SPEC-FACT-4")


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("", '""'),
        ("plain", '"plain"'),
        ('a "b" \\', r'"a \"b\" \\"'),
        ("\a\b\f\n\r\t\v", r'"\a\b\f\n\r\t\v"'),
        ("\x00\x1f\x7f", r'"\x00\x1f\x7f"'),
        ("\x85\xa0\u200b\u2028\ufeff", r'"\u0085\u00a0\u200b\u2028\ufeff"'),
        ("é 😀", '"é 😀"'),
        ("\uffff", r'"\uffff"'),
        ("\U000e0001", r'"\U000e0001"'),
        ("it's", '"it\'s"'),
    ],
)
def test_quote_and_back(text: str, literal: str) -> None:
    assert literal == quote(text)
    assert text == unquote(literal)


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("`raw \\n`", "raw \\n"),
        ("`a\rb`", "ab"),
        ("'x'", "x"),
        ("'é'", "é"),
        (r"'\''", "'"),
        (r"'\x41'", "A"),
        (r'"\101\u00e9\U0001F600"', "Aé😀"),
        (r'"\xc3\xa9"', "é"),
        (r'"\xff"', "\udcff"),
        (r'"a\377"', "a\udcff"),
        ('"caf\udce9"', "caf\ufffd"),
        ('"\udce9\\t"', "\ufffd\t"),
        ("'\udce9'", "\ufffd"),
        ("'\"'", '"'),
        (r'"\U0010FFFF"', "\U0010ffff"),
        ('"\udc80\udcff"', "\ufffd\ufffd"),
    ],
)
def test_unquote(literal: str, text: str) -> None:
    assert text == unquote(literal)


@pytest.mark.parametrize(
    "literal",
    [
        "",
        '"',
        "x",
        "xx",
        '"a',
        '"a`',
        '"a"b"',
        "`a`b`",
        '"a\nb"',
        "''",
        "'ab'",
        "'\\'",
        "'a\\''",
        '"\\"',
        r'"\'"',
        r"'\"'",
        r'"\z"',
        r'"\18a"',
        r'"\1fa"',
        r'"\x4"',
        r'"\x4g"',
        r'"\u12"',
        r'"\400"',
        r'"\18x"',
        r'"\ud800"',
        r'"\U00110000"',
        r'"\u 123"',
        '"\\٣٣٣"',
        'a"b\\"a',
        r'"a\t"b"',
    ],
)
def test_what_is_no_literal(literal: str) -> None:
    assert unquote(literal) is None
