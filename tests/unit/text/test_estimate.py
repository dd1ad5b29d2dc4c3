"""How much a text weighs, and how far a budget reaches."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.text.estimate import QUARTERS, estimate_tokens, furthest, furthest_back

# One, two and four quarters a character; the last of each class and the first of the next.
_MIXED = st.text("a \x7f\x80é\u07ff\u0800漢ก각\uffff\U00010000😀\ud800", max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a", 1),
        ("word", 1),
        ("words", 2),
        ("éé", 1),
        ("ééé", 2),
        ("Привет", 3),
        ("漢字", 2),
        ("한국어", 3),
        ("😀", 1),
        ("\x7f\x7f\x7f\x7f", 1),
        ("\x80\x80\x80\x80", 2),
        ("\u07ff\u07ff", 1),
        ("\u0800\u0800", 2),
        ("\uffff\U00010000", 2),
        ("\ud800", 1),
        ("a漢", 2),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-7")
def test_tokens_of_a_text_by_its_script(text: str, expected: int) -> None:
    assert expected == estimate_tokens(text)


@given(text=_MIXED, at=st.integers(0, 40), weight=st.integers(0, 80))
@pytest.mark.requirement("SPEC-TEXT-7")
def test_a_budget_reaches_as_far_as_it_can_and_no_further(text: str, at: int, weight: int) -> None:
    at = min(at, len(text))
    # In quarters: four times a text weighs four times as many, so nothing is rounded.
    fits = [estimate_tokens(text[at:end] * QUARTERS) <= weight for end in range(at, len(text) + 1)]
    assert at + fits.count(True) - 1 == furthest(text, at, weight)
    back = [estimate_tokens(text[start:at] * QUARTERS) <= weight for start in range(at + 1)]
    assert back.index(True) == furthest_back(text, at, weight)
