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
    ],
)
@pytest.mark.requirement("SPEC-TEXT-13")
def test_headings(text: str, expected: list[tuple[int, str]]) -> None:
    found = scan(line_text(text)).headings
    assert expected == [(heading.level, heading.title) for heading in found]


def test_spans() -> None:
    text = "---\na: b\n---\n<!-- x\n-->\n```\ncode\n```\n~~~\nopen"
    assert scan(text).spans == [(0, 13), (13, 24), (24, 37), (37, 45)]
