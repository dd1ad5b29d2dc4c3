"""Posting lists come back from their bytes."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from holdfact.engine.storage.postings import Part, invert, join_few, moved, pack, split_few, unpack

parts = st.lists(
    st.tuples(st.integers(0, 65_535), st.integers(1, 255)), min_size=1, max_size=16
).map(
    lambda rows: Part(
        array("H", sorted({low for low, _ in rows})).tobytes(),
        bytes([rows[n][1] for n in range(len({low for low, _ in rows}))]),
    )
)


@given(parts)
def test_pack_and_unpack(part: Part) -> None:
    assert part == unpack(pack(part))


@given(st.dictionaries(st.integers(0, 65_535), parts, max_size=4))
def test_join_and_split(few: dict[int, Part]) -> None:
    rows = sorted(few.items())
    assert rows == split_few(join_few(rows))


@given(st.lists(st.integers(0, 60_000)), st.integers(0, 5_535))
def test_moved_adds_to_each(ids: list[int], offset: int) -> None:
    there = array("H", moved(array("H", ids).tobytes(), offset))
    assert [number + offset for number in ids] == list(there)


@given(
    st.lists(
        st.dictionaries(st.text("abcdé", min_size=1, max_size=3), st.integers(1, 400)), max_size=20
    )
)
def test_inverting_loses_nothing(chunks: list[dict[str, int]]) -> None:
    inverted = invert(chunks)
    back: list[dict[str, int]] = [{} for _ in chunks]
    ids = array("H", inverted.ids)
    start = 0
    terms = inverted.terms.split("\n") if inverted.terms else []
    assert sorted(terms) == terms
    for term, count in zip(terms, array("I", inverted.counts), strict=True):
        for at in range(start, start + count):
            back[ids[at]][term] = inverted.frequencies[at]
        start += count
    capped = [{term: min(tf, 255) for term, tf in chunk.items()} for chunk in chunks]
    assert capped == back
