"""Where a text may be cut."""

import pytest

from holdfact.text.graphemes import is_boundary, last_boundary


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab", [0, 1, 2]),
        ("a\r\nb", [0, 1, 3, 4]),
        ("\n\u0301", [0, 1, 2]),
        ("e\u0301x", [0, 2, 3]),
        ("👩\u200d👧", [0, 3]),
        ("👍🏽", [0, 2]),
        ("❤\ufe0f", [0, 2]),
        ("🇩🇪🇫🇷", [0, 2, 4]),
        ("🇩é", [0, 1, 2]),
        ("\u1112\u1161\u11ab", [0, 3]),
        ("\ud83d\ude00", [0, 2]),
        ("漢字", [0, 1, 2]),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-9")
def test_boundaries(text: str, expected: list[int]) -> None:
    assert expected == [at for at in range(len(text) + 1) if is_boundary(text, at)]


def test_last_boundary() -> None:
    assert [last_boundary("abc\u0301", 0, 3) + 1, last_boundary("a\u0301\u0301", 0, 2)] == [3, 0]
