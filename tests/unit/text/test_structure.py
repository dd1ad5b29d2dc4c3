"""Headings and spans of Markdown."""

import pytest

from holdfact.text.structure import line_text, scan


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n## B ##\n   ### C\n    # no\n#no\n####### no", [(1, "A"), (2, "B"), (3, "C")]),
        ("One\n===\nTwo\n---\n\n---\n- item\n---\n", [(1, "One"), (2, "Two")]),
        ("---\na: b\n---\n# A", [(1, "A")]),
        ("```\n# no\n~~~\n```` \n# A", [(1, "A")]),
        ("````md\n```\n# no\n```\n````\n# A", [(1, "A")]),
        ("~~~ `x`\n# no\n~~~ more\n# no", []),
        ("``` `inline` ```\n# A", [(1, "A")]),
        ("- ```\n  # no\n  ```\n> ```\n> # no\n> ```\n# A", [(1, "A")]),
        ("<!--\n# no\n-->\n# A\n<!-- open\n<!--\n# B", [(1, "A"), (1, "B")]),
        ("#\n", [(1, "")]),
        ("# A\r# B\r\n# C", [(1, "A"), (1, "B"), (1, "C")]),
        ("===\n", []),
        ("x\n\n===\n", []),
        ("\n\n---\n", []),
        ("    code\n===\n\tcode\n---\n", []),
        ("> quote\n===\n| table\n---\n1. item\n---\n1) item\n---\n", []),
        ("1.5 is a number\n===\n", [(1, "1.5 is a number")]),
        ("One\n=\nTwo\n-- \t\nNo\n-- -\nNo\n=-\n", [(1, "One"), (2, "Two")]),
        ("# A #b ## \n#\tB\n# #\n", [(1, "A #b"), (1, "B"), (1, "")]),
        ("###### six\n####### seven", [(6, "six")]),
        ("<!--\n# no\n-->\n<!--\n# no\n-->\n# A", [(1, "A")]),
        ("<!-- one line -->\n# A", [(1, "A")]),
        ("    <!--\n# A\n-->", [(1, "A")]),
        ("```x`\n# A", [(1, "A")]),
        ("~~~x`\n# no\n~~~\n# A", [(1, "A")]),
        ("```\n# no\n```x\n# no\n```\n# A", [(1, "A")]),
        ("```\n<!--\n```\n# A\n-->", [(1, "A")]),
        ("1. ```\n   # no\n   ```\n# A", [(1, "A")]),
        ("+++\n# no\n+++\n# A", [(1, "A")]),
        ("---\na: b\n---\n===\n# A", [(1, "A")]),
        ("# " + "a" * 300 + "\n" + "b" * 300 + "\n===", [(1, "a" * 254), (1, "b" * 256)]),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-13")
def test_headings(text: str, expected: list[tuple[int, str]]) -> None:
    found = scan(line_text(text)).headings
    assert expected == [(heading.level, heading.title) for heading in found]


def test_a_heading_knows_where_its_line_begins_and_its_content() -> None:
    text = "\n# A\nx\n\nTwo\n===\n   ## B\nlast\n---"
    found = [(heading.title, heading.start, heading.end) for heading in scan(text).headings]
    expected = [("A", "# A", "x\n"), ("Two", "Two", "   ## B"), ("B", "   ## B", "last\n---")]
    assert [(title, text.index(at), text.index(after)) for title, at, after in expected] == found[
        :3
    ]
    assert ("last", text.index("last"), len(text)) == found[3]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# A\nplain\n", []),
        ("---\na: b\n---\nplain", ["---\na: b\n---\n"]),
        ("a\n```\nx\n```\nb\n~~~\ny", ["```\nx\n```\n", "~~~\ny"]),
        ("a\n<!-- x\n--> rest\nb\n<!-- y -->", ["<!-- x\n--> rest\n", "<!-- y -->"]),
        ("a\n<!-- open\n<!-- more\n", []),
        ("```\n~~~\n```\n~~~\n```\n~~~\n", ["```\n~~~\n```\n", "~~~\n```\n~~~\n"]),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-12")
def test_what_stays_whole(text: str, expected: list[str]) -> None:
    assert expected == [text[start:end] for start, end in scan(text).spans]


def test_spans() -> None:
    text = "---\na: b\n---\n<!-- x\n-->\n```\ncode\n```\n~~~\nopen"
    assert scan(text).spans == [(0, 13), (13, 24), (24, 37), (37, 45)]
