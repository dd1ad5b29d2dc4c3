"""Invariants of chunks on any Unicode."""

# ruff: noqa: E501 - a row of a table stands on one line

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.text.chunker import chunk
from holdfact.text.estimate import estimate_tokens
from holdfact.text.graphemes import is_boundary
from holdfact.text.structure import line_text, scan

_PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "\n", "\r\n", "\r", "\n\n", " ", "# h\n", "## x\n", "```\n", "~~~\n", "---\n", "===\n",
            "| a | b |\n", "> q\n", "- i\n", "<!--\n", "-->\n", "word ", "e\u0301\u0302",
            "👩\u200d👩\u200d👧", "🇩🇪", "👍🏽", "漢字", "ไทย", "각", "\ud83d\ude00", "❤\ufe0f", "a. ", "。",
            # Long enough that a chunk ends inside, and an overlap begins there.
            "word " * 15, "x" * 60, "e\u0301" * 20, "👩\u200d👩\u200d👧" * 5, "漢字。" * 8, "🇩🇪" * 12, "a b\n" * 12,
            "é" * 30, "a \u0301b" * 12, "| a | b |\n" * 8, "```\n" + "code\n" * 10 + "```\n", "- item\n" * 8, "\n\n" + "p " * 20 + "\n\n",
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
    starts = [heading.start for heading in scan(line_text(text)).headings]
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
    for before, c in pairwise(chunks):
        begin = c.start + c.overlap
        assert before.start + before.overlap < begin, "every chunk has something new"
        assert before.start + before.overlap <= c.start, "only the chunk before is repeated"
        # What stands before a heading is another section: it is not repeated below it.
        assert all(start <= c.start or begin < start for start in starts)


@given(_TEXTS, _SIZES)
@pytest.mark.requirement("SPEC-TEXT-7", "SPEC-TEXT-10")
def test_a_text_is_kept_whole_exactly_where_it_fits(text: str, sizes: tuple[int, int]) -> None:
    size, overlap = sizes
    chunks = chunk(text, size_tokens=size, overlap_tokens=overlap, keeps_whole=True)
    if estimate_tokens(text) > size:
        assert chunks == chunk(text, size_tokens=size, overlap_tokens=overlap)
        return
    (whole,) = chunks
    assert (whole.start, whole.end, whole.overlap, whole.start_byte) == (0, len(text), 0, 0)
    assert whole.end_byte == len(text.encode("utf-8", "surrogatepass"))
    lines = text.replace("\r\n", " \n").replace("\r", "\n")
    assert (whole.first_line, whole.last_line) == (1, 1 + lines[:-1].count("\n"))


@given(_TEXTS, _TEXTS)
def test_the_estimate_is_monotone_and_subadditive(one: str, two: str) -> None:
    whole = estimate_tokens(one + two)
    assert max(estimate_tokens(one), estimate_tokens(two)) <= whole
    assert whole <= estimate_tokens(one) + estimate_tokens(two)
