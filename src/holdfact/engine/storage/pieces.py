"""Pieces of a bulk write: analysed documents with their inverted postings, as one block of bytes.

A piece travels from a worker to the writer and waits in the store until the merge, so an
interrupted build goes on where it stopped. The block is `marshal` under a checksum: only this
program writes it, into a private folder, and a damaged one is refused before it is read.
"""

from __future__ import annotations

import marshal
import zlib

from holdfact.core.errors import StoreCorrupt
from holdfact.core.limits import CONTAINER_CHUNKS
from holdfact.core.record import NamedTuple
from holdfact.engine.storage.base import Record, Stamp
from holdfact.engine.storage.postings import Inverted, invert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

__all__ = ["Piece", "PieceBuilder", "decode", "encode"]

# Version 4 is read by every Python from 3.4 on.
_MARSHAL_VERSION = 4


class Piece(NamedTuple):
    """Documents in the order of their chunk ids (an empty document takes one id, too).

    Attributes:
        documents: each record with its stamp.
        skipped: stamps of sources that were read and passed over.
        inverted: the postings, ids relative to the first chunk.
        ids: how many chunk ids the piece takes.
    """

    documents: list[tuple[Record, Stamp]]
    skipped: list[Stamp]
    inverted: Inverted
    ids: int


class PieceBuilder:
    """Collects documents into a piece."""

    __slots__ = ("_chunks", "_documents", "_skipped")

    def __init__(self) -> None:
        self._documents: list[tuple[Record, Stamp]] = []
        self._skipped: list[Stamp] = []
        self._chunks: list[dict[str, int]] = []

    def has_room(self, chunks: int) -> bool:
        """Whether a document of so many chunks fits; a piece is one container at most."""
        return len(self._chunks) + max(chunks, 1) <= CONTAINER_CHUNKS

    def add(self, record: Record, chunks: Sequence[dict[str, int]], stamp: Stamp) -> None:
        """Add a document; there must be room."""
        self._documents.append((record, stamp))
        self._chunks.extend(chunks or ({},))

    def skip(self, stamp: Stamp) -> None:
        """Note a source that was passed over."""
        self._skipped.append(stamp)

    def finish(self) -> Piece:
        """The piece; the builder is empty afterwards."""
        piece = Piece(self._documents, self._skipped, invert(self._chunks), len(self._chunks))
        self._documents, self._skipped, self._chunks = [], [], []
        return piece


def encode(piece: Piece) -> bytes:
    """The piece as bytes."""
    documents = [(tuple(record), tuple(stamp)) for record, stamp in piece.documents]
    skipped = [tuple(stamp) for stamp in piece.skipped]
    plain: Any = (documents, skipped, tuple(piece.inverted), piece.ids)
    return marshal.dumps(plain, _MARSHAL_VERSION)


def decode(data: bytes, crc: int) -> Piece:
    """The opposite of `encode`.

    Raises:
        StoreCorrupt: the checksum is another.
    """
    if zlib.crc32(data) != crc:
        raise StoreCorrupt("a piece of an unfinished build is damaged")
    documents, skipped, inverted, ids = marshal.loads(data)  # noqa: S302 - own bytes, checked above
    return Piece(
        [(Record(*record), Stamp(*stamp)) for record, stamp in documents],
        [Stamp(*stamp) for stamp in skipped],
        Inverted(*inverted),
        ids,
    )
