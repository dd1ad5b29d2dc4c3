"""Where a text may be cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        ("", [0]),
        ("\r\ra\n\nb\r", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("\n\r\r\n", [0, 1, 2, 4]),
        ("a\u0300", [0, 2]),
        ("\u0300a", [0, 1, 2]),
        ("a\u200d", [0, 2]),
        ("a\u200db", [0, 3]),
        ("🇦🇿", [0, 2]),
        ("a🇩🇪🇫🇷", [0, 1, 3, 5]),
        ("🇩🇪🇫漢", [0, 2, 3, 4]),
        ("🇩\u0301🇪", [0, 2, 3]),
        ("漢🇩🇪", [0, 1, 3]),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-9")
def test_boundaries(text: str, expected: list[int]) -> None:
    assert expected == [at for at in range(len(text) + 1) if is_boundary(text, at)]


@pytest.mark.parametrize(
    "extender",
    [
        "\u0300", "\u200c", "\u200d", "\u20e3", "\ufe0f", "\U0001f3fb", "\U0001f3ff", "\U000e0020",
        "\U000e007f", "\u1160", "\u11ff", "\ud7b0", "\ud7fb", "\u0e33", "\u0eb3", "\uff9e",
        "\uff9f", chr(0xDC00), chr(0xDFFF),
    ],
)  # fmt: skip
@pytest.mark.requirement("SPEC-TEXT-9")
def test_what_extends_a_character_is_not_cut_off(extender: str) -> None:
    assert not is_boundary(f"漢{extender}", 1)
    assert is_boundary(f"漢{extender}x", 2) is (extender != "\u200d")


@pytest.mark.parametrize(
    "other",
    [
        "\u02ff", "\u200b", "\u200e", "\U0001f3fa", "\U0001f400", "\U000e0001", "\u115f", "\u1200",
        "\ud7af", "\ud7fc", "\u0e32", "\u0eb2", "\uff9d", "\uffa0", "\udbff", "\ue000",
        "\U0001f1e5", "\U0001f200",
    ],
)  # fmt: skip
def test_what_stands_beside_the_extenders_may_be_cut_off(other: str) -> None:
    assert is_boundary(f"漢{other}", 1)
    assert is_boundary(other * 3, 1)
    assert is_boundary(other * 3, 2)


def test_pairs_are_counted_from_the_boundary_that_is_known() -> None:
    assert [False, True, False] == [is_boundary("🇩🇪🇫🇷", at) for at in (1, 2, 3)]
    assert [False, True] == [is_boundary("🇩🇪🇫🇷", at, 1) for at in (2, 3)]


@given(
    text=st.text("a漢\u0301\u200d\r\n🇩👍🏽", max_size=12),
    ends=st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted),
)
def test_the_last_boundary_is_the_last_of_all(text: str, ends: list[int]) -> None:
    start, end = (min(at, len(text)) for at in ends)
    found = [at for at in range(start + 1, end + 1) if is_boundary(text, at, start)]
    assert max(found, default=start) == last_boundary(text, start, end)


def test_last_boundary() -> None:
    assert [last_boundary("abc\u0301", 0, 3) + 1, last_boundary("a\u0301\u0301", 0, 2)] == [3, 0]
