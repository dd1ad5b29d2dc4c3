"""Posting lists as bytes: packed, unpacked, joined, without a loop over postings where it can be.

A *container* is a range of 65,536 chunk ids. Within it a list is `ids` (ascending, 16 bits each,
native byte order) and `frequencies` (one byte each). Byte order is part of the index identity.
"""

from __future__ import annotations

import sys
from array import array
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from holdfact.core.limits import MAX_TERM_FREQUENCY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Inverted", "Part", "invert", "join_few", "moved", "pack", "split_few", "unpack"]

_LOW = 0 if sys.byteorder == "little" else 1


class Part(NamedTuple):
    """The postings of one term in one container."""

    ids: bytes
    frequencies: bytes


class Inverted(NamedTuple):
    """The postings of a piece: `terms` sorted, joined by newlines; then per term `counts`
    (32 bits) postings in `ids` (16 bits, relative to the piece's first chunk) and `frequencies`.
    """

    terms: str
    counts: bytes
    ids: bytes
    frequencies: bytes


def invert(chunks: Iterable[dict[str, int]]) -> Inverted:
    """Turn the term frequencies of at most 65,536 chunks into postings."""
    lists: dict[str, list[int]] = {}
    get = lists.get
    for number, counts in enumerate(chunks):
        if max(counts.values(), default=0) > MAX_TERM_FREQUENCY:
            counts = {term: min(tf, MAX_TERM_FREQUENCY) for term, tf in counts.items()}  # noqa: PLW2901 - capped by definition
        for term, tf in counts.items():
            posting = tf << 16 | number
            known = get(term)
            if known is None:
                lists[term] = [posting]
            else:
                known.append(posting)
    terms = sorted(lists)
    sizes = array("I", [len(lists[term]) for term in terms])
    packed = array("I", chain.from_iterable(map(lists.__getitem__, terms)))
    halves = array("H", packed.tobytes())
    ids, high = halves[_LOW::2], halves[1 - _LOW :: 2]
    return Inverted("\n".join(terms), sizes.tobytes(), ids.tobytes(), high.tobytes()[_LOW::2])


def moved(ids: bytes, offset: int) -> bytes:
    """Add `offset` to each 16-bit id; the sums must fit. One addition of two long integers."""
    if not offset or not ids:
        return ids
    ones = int.from_bytes(array("H", [offset]).tobytes() * (len(ids) // 2), sys.byteorder)
    return (int.from_bytes(ids, sys.byteorder) + ones).to_bytes(len(ids), sys.byteorder)


def pack(part: Part) -> bytes:
    """A container's list as it is stored."""
    return part.ids + part.frequencies


def unpack(data: bytes) -> Part:
    """The opposite of `pack`."""
    end = len(data) // 3 * 2
    return Part(data[:end], data[end:])


def join_few(parts: Sequence[tuple[int, Part]]) -> bytes:
    """A short list as one row: per container its size (8 bits), its number (16 bits), its part."""
    return b"".join(
        [
            bytes((len(part.frequencies), container & 0xFF, container >> 8)) + pack(part)
            for container, part in parts
        ]
    )


def split_few(data: bytes) -> list[tuple[int, Part]]:
    """The opposite of `join_few`."""
    found: list[tuple[int, Part]] = []
    at = 0
    while at < len(data):
        size = data[at]
        end = at + 3 + 3 * size
        found.append((data[at + 1] | data[at + 2] << 8, unpack(data[at + 3 : end])))
        at = end
    return found
