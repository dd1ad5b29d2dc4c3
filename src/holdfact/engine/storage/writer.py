"""The writing half of the embedded store: what one transaction does."""

from __future__ import annotations

from array import array

from holdfact.core.limits import CONTAINER_CHUNKS
from holdfact.engine.storage import delta
from holdfact.engine.storage.base import SPAN, SPAN_LENGTH, Record, Stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    import apsw

    from holdfact.engine.storage.pieces import Piece

__all__ = ["Writer"]


class Writer:
    """Changes documents inside a transaction that the caller opened.

    Args:
        connection: with an open write transaction.
        meta: the counters, which `finish` writes back.
        recount: analyses a stored text again.
        text: the stored text of a document.
    """

    __slots__ = ("_connection", "_recount", "_text", "meta")

    def __init__(
        self,
        connection: apsw.Connection,
        meta: dict[str, int],
        recount: Callable[[Record, str], Sequence[Mapping[str, int]]],
        text: Callable[[int], str],
    ) -> None:
        self._connection = connection
        self.meta = meta
        self._recount = recount
        self._text = text

    def finish(self) -> None:
        """Write the counters; the revision grows."""
        self.meta["revision"] += 1
        rows = [(key, value) for key, value in self.meta.items() if key != "identity"]
        self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)

    def put(self, record: Record, chunks: Sequence[Mapping[str, int]], stamp: Stamp) -> None:
        """Write one document beside the lists, in place of the one with its key."""
        self.remove(record.kind, record.key)
        document = self.meta["next_id"]
        self._insert(document, record, stamp)
        lengths = array("I", record.spans)[SPAN_LENGTH::SPAN]
        delta.add(self._connection, delta.rows_of(document, lengths, chunks))

    def _insert(self, document: int, record: Record, stamp: Stamp) -> None:
        meta = self.meta
        self._connection.execute(
            "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (document, *record[:-1]),
        )
        self._connection.execute("INSERT INTO body VALUES (?, ?)", (document, record.body))
        self.note(stamp._replace(document=document, reason=""))
        self._count_language(record.language, 1)
        meta["next_id"] = document + max(1, record.chunks)
        meta["n"] += record.chunks
        meta["total"] += sum(array("I", record.spans)[SPAN_LENGTH::SPAN])

    def note(self, stamp: Stamp) -> None:
        """Record how a source looked; its document, if it is None, is gone by then."""
        self._connection.execute(
            "INSERT OR REPLACE INTO stamp VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", stamp
        )

    def remove(self, kind: str, key: str) -> None:
        """Take a document out of everything that is searched; nothing if there is none."""
        one = self._connection.execute
        row: Any = one(
            "SELECT document FROM stamp WHERE kind = ? AND key = ?", (kind, key)
        ).fetchall()
        if not row:
            return
        one("DELETE FROM stamp WHERE kind = ? AND key = ?", (kind, key))
        if row[0][0] is not None:
            self._remove_document(row[0][0])

    def _remove_document(self, document: int) -> None:
        one = self._connection.execute
        row: Any = one(
            "SELECT kind, key, path, title, name, description, scope, language, first_line,"
            " sha256, chunks, spans FROM document WHERE id = ?",
            (document,),
        ).get
        record = Record._make((*row, b""))
        chunks = self._recount(record, self._text(document))
        if document >= self.meta["merged"]:
            delta.take_out(self._connection, document, chunks)
        elif record.chunks:
            delta.add(self._connection, delta.removal_rows(document, chunks))
            one("INSERT INTO dead VALUES (?, ?)", (document, record.chunks))
        one("DELETE FROM document WHERE id = ?", (document,))
        one("DELETE FROM body WHERE id = ?", (document,))
        self._count_language(record.language, -1)
        self.meta["n"] -= record.chunks
        self.meta["total"] -= sum(array("I", record.spans)[SPAN_LENGTH::SPAN])

    def _count_language(self, name: str, change: int) -> None:
        one = self._connection.execute
        one(
            "INSERT INTO language VALUES (?1, ?2)"
            " ON CONFLICT (name) DO UPDATE SET documents = documents + ?2",
            (name, change),
        )
        if change < 0:
            one("DELETE FROM language WHERE name = ? AND documents <= 0", (name,))

    def merge(self, pieces: Sequence[Piece]) -> None:
        """Take pieces and delta into the lists."""
        from holdfact.engine.storage import merge

        for piece in pieces:
            for record, _ in piece.documents:
                self.remove(record.kind, record.key)
            for stamp in piece.skipped:
                self.remove(stamp.kind, stamp.key)
                self.note(stamp)
        changes = merge.Changes()
        changes.read_delta(self._connection)
        # Their pages are free before the lists are written, so the file does not grow twice.
        for table in ("pending", "delta", "dead"):
            self._connection.execute(f"DELETE FROM {table}")  # noqa: S608 - constants
        for piece in pieces:
            changes.add_piece(piece.inverted, self._make_room(piece.ids))
            self._insert_piece(piece, changes.lengths)
        self.meta["next_term"] = merge.apply(self._connection, changes, self.meta["next_term"])
        self.meta["merged"] = self.meta["next_id"]

    def _make_room(self, ids: int) -> int:
        """The first chunk id of a piece, which stands in one container."""
        first = self.meta["next_id"]
        if first % CONTAINER_CHUNKS + ids > CONTAINER_CHUNKS:
            first += CONTAINER_CHUNKS - first % CONTAINER_CHUNKS
        self.meta["next_id"] = first
        return first

    def _insert_piece(self, piece: Piece, lengths: dict[int, int]) -> None:
        for record, stamp in piece.documents:
            document = self.meta["next_id"]
            self._insert(document, record, stamp)
            lengths.update(enumerate(array("I", record.spans)[SPAN_LENGTH::SPAN], document))
