"""Posting lists as bytes: packed, unpacked, joined, without a loop over postings where it can be.

A *container* is a range of 65,536 chunk ids. Within it a list is `ids` (ascending, 16 bits each,
native byte order) and `frequencies` (one byte each). Byte order is part of the index identity.
"""

from __future__ import annotations

import sys
from array import array
from collections import deque

from holdfact.core.limits import MAX_TERM_FREQUENCY
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "Inverted",
    "Part",
    "few_head",
    "invert",
    "join_few",
    "moved",
    "pack",
    "split_few",
    "unpack",
]

# The posting of frequency f in chunk n is number f of range(n, n + _CODES, 1 << 16).
_CODES = (MAX_TERM_FREQUENCY + 1) << 16
# Few chunks have a term more often than 15 times.
_USUAL_CODES = 16 << 16
_LOW = 0 if sys.byteorder == "little" else 1


class Part(NamedTuple):
    """The postings of one term in one container."""

    ids: bytes
    frequencies: bytes


class Inverted(NamedTuple):
    """The postings of a piece.

    `terms` are sorted and joined by newlines; per term follow `counts` (32 bits) postings in `ids`
    (16 bits, relative to the piece's first chunk) and `frequencies`.
    """

    terms: str
    counts: bytes
    ids: bytes
    frequencies: bytes


class _Lists(dict[str, "array[int]"]):
    """A list of postings per term: the frequency above, the chunk's number in the low 16 bits."""

    __slots__ = ()

    def __missing__(self, term: str) -> array[int]:
        new = self[term] = array("I")
        return new


def invert(chunks: Iterable[Mapping[str, int]]) -> Inverted:
    """Turn the term frequencies of at most 65,536 chunks into postings.

    There are millions of them, so they are appended by `map`, not in a loop of statements.
    """
    lists = _Lists()
    get = lists.__getitem__
    for number, counts in enumerate(chunks):
        # One integer object for all postings of a frequency: making one each takes .2 s more.
        codes = list(range(number, number + _USUAL_CODES, 1 << 16))
        try:
            postings = list(map(codes.__getitem__, counts.values()))
        except IndexError:  # capped by definition
            every = range(number, number + _CODES, 1 << 16)
            postings = [every[min(tf, MAX_TERM_FREQUENCY)] for tf in counts.values()]
        deque(map(array.append, map(get, counts), postings), 0)
    terms = sorted(lists)
    found = list(map(get, terms))
    halves = array("H", b"".join(found))
    ids, high = halves[_LOW::2], halves[1 - _LOW :: 2]
    sizes = array("I", map(len, found))
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
    pieces: list[bytes] = []
    for container, part in parts:
        pieces += (few_head(len(part.frequencies), container), *part)
    return b"".join(pieces)


def few_head(size: int, container: int) -> bytes:
    """What stands before each part of a short list."""
    return (size | container << 8).to_bytes(3, "little")


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
