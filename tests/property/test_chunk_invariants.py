"""Invariants of chunks on any Unicode."""

# ruff: noqa: E501 - a row of a table stands on one line

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.text.chunker import chunk
from holdfact.text.estimate import estimate_tokens
from holdfact.text.graphemes import is_boundary

_PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "\n", "\r\n", "\r", "\n\n", " ", "# h\n", "## x\n", "```\n", "~~~\n", "---\n", "===\n",
            "| a | b |\n", "> q\n", "- i\n", "<!--\n", "-->\n", "word ", "e\u0301\u0302",
            "👩\u200d👩\u200d👧", "🇩🇪", "👍🏽", "漢字", "ไทย", "각", "\ud83d\ude00", "❤\ufe0f", "a. ", "。",
        ]
    ),
)  # fmt: skip
_TEXTS = st.lists(_PIECES, max_size=60).map("".join)
_SIZES = st.integers(12, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n // 2)))


def _cluster_fits(text: str, size: int) -> bool:
    """Whether no cluster of `text` is larger than a chunk: such a one is cut."""
    start = 0
    for at in range(1, len(text) + 1):
        if is_boundary(text, at, start):
            if estimate_tokens(text[start:at]) > size:
                return False
            start = at
    return True


@given(_TEXTS, _SIZES)
@pytest.mark.requirement("SPEC-TEXT-7", "SPEC-TEXT-8", "SPEC-TEXT-9", "SPEC-TEXT-10")
def test_chunks(text: str, sizes: tuple[int, int]) -> None:
    size, overlap = sizes
    chunks = chunk(text, size_tokens=size, overlap_tokens=overlap)
    assert text == "".join(text[c.start + c.overlap : c.end] for c in chunks)
    lines = text.replace("\r\n", " \n").replace("\r", "\n")
    fits = _cluster_fits(text, size)
    for c in chunks:
        assert estimate_tokens(text[c.start : c.end]) <= size
        assert estimate_tokens(text[c.start : c.start + c.overlap]) <= overlap
        assert c.start_byte == len(text[: c.start].encode("utf-8", "surrogatepass"))
        assert c.end_byte == len(text[: c.end].encode("utf-8", "surrogatepass"))
        assert c.first_line == 1 + lines.count("\n", 0, c.start)
        assert c.last_line == 1 + lines.count("\n", 0, max(c.end - 1, c.start + c.overlap))
        if fits:
            assert is_boundary(text, c.start)
            assert is_boundary(text, c.end)


@given(_TEXTS, _TEXTS)
def test_the_estimate_is_monotone_and_subadditive(one: str, two: str) -> None:
    whole = estimate_tokens(one + two)
    assert max(estimate_tokens(one), estimate_tokens(two)) <= whole
    assert whole <= estimate_tokens(one) + estimate_tokens(two)
