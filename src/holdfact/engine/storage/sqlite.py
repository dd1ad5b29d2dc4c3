"""The embedded store: one SQLite file a generation, exact at every commit.

Documents written one by one stand in `delta` until a merge takes them into the posting lists; many
at once go through `pending` pieces straight into the lists. See `base` for what must hold.
"""

from __future__ import annotations

import os
import zlib

from holdfact.core import sqlite
from holdfact.core.limits import DELTA_CHUNKS, DELTA_SHARE
from holdfact.engine.storage import lexical
from holdfact.engine.storage.base import (
    Capabilities,
    ChunkHit,
    Cut,
    Located,
    Record,
    Stamp,
    Statistics,
)
from holdfact.engine.storage.schema import MIGRATIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any, Concatenate, ParamSpec, TypeVar

    import apsw

    from holdfact.engine.storage.pieces import Piece
    from holdfact.engine.storage.writer import Writer

    Recount = Callable[[Record, str], Sequence[Mapping[str, int]]]
    P = ParamSpec("P")
    T = TypeVar("T")

__all__ = ["SqliteStorage"]

_RECORD = (
    "kind, key, path, title, name, description, scope, language, first_line, sha256, chunks, spans"
)
# More than the pieces that one task can have: each but the last fills a container.
_TASK_PIECES = 1 << 20
# The key of a document is its path.
_NAMES = {"document": "path", "fact": "key, path"}
# How Python says that bytes, a number or a row are not of the form that was written.
_UNDECODABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, zlib.error)
_STAMP = "kind, key, path, size, mtime_ns, ctime_ns, inode, is_racy, document, reason"


def _decoding(
    method: Callable[Concatenate[SqliteStorage, P], T],
) -> Callable[Concatenate[SqliteStorage, P], T]:
    """Tell what was stored and can't be decoded as damage: SQLite has no sums of its own.

    Raises:
        StoreCorrupt: what the wrapped method read is not of the form that was written.
    """

    def decoding(storage: SqliteStorage, /, *args: P.args, **options: P.kwargs) -> T:
        try:
            return method(storage, *args, **options)
        except _UNDECODABLE as err:
            why = f"a stored part can't be decoded ({type(err).__name__}: {err})"
            raise sqlite.damaged(storage.path, why) from err

    return decoding


class SqliteStorage:
    """A store in one file.

    Args:
        path: the file.
        recount: analyses the text of a stored record again, exactly as it was indexed.
        creates: make it where it is missing or empty, unless `read_only`; else that is an error.
        read_only: never writes.
        durable: whether each commit survives a power loss (a build syncs once, at its end).
    """

    capabilities = Capabilities("sqlite", has_lexical=True, has_vectors=False, is_embedded=True)

    def __init__(
        self, path: str, recount: Recount,
        *, creates: bool = True, read_only: bool = False, durable: bool = True,
    ) -> None:  # fmt: skip
        self.path = path
        self.is_read_only = read_only
        self._recount = recount
        # Pieces that this process put into `pending`: not read back and decoded for the merge.
        self._held: dict[int, Piece] = {}
        self._connection = sqlite.connect(
            path, MIGRATIONS, creates=creates, read_only=read_only, durable=durable
        )

    def close(self) -> None:
        """Give the file back."""
        sqlite.close(self._connection)

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read in the block is of one revision."""
        return _Snapshot(self._connection, self.path)

    # Reading.

    def _meta(self) -> dict[str, int]:
        rows: Any = self._connection.execute("SELECT key, value FROM meta").fetchall()
        return dict(rows)

    @_decoding
    def revision(self) -> int:
        """A number that grows with every commit."""
        return self._meta()["revision"]

    @_decoding
    def identity(self) -> str:
        """The identity that the store was built with; empty before it is set."""
        found = self._connection.execute("SELECT value FROM meta WHERE key = 'identity'").get
        return "" if found is None else str(found)

    @_decoding
    def is_complete(self) -> bool:
        """Whether the first build was finished."""
        return bool(self._meta()["complete"])

    @_decoding
    def stamps(self) -> list[Stamp]:
        """Every known source, ordered by kind and key."""
        rows: Any = self._connection.execute(
            f"SELECT {_STAMP} FROM stamp ORDER BY kind, key"  # noqa: S608 - constants
        ).fetchall()
        # The tuples themselves: through the class thousands of sources would take milliseconds.
        return [tuple.__new__(Stamp, row) for row in rows]

    @_decoding
    def looks(self, kind: str) -> list[tuple[str | int | None, ...]]:
        """Name and look of each source of a kind, by key; one to be read again looks like nothing.

        The cheap question of every call: is everything as it was?
        """
        rows: Any = self._connection.execute(
            f"SELECT {_NAMES[kind]}, size, mtime_ns, ctime_ns, iif(is_racy, NULL, inode)"  # noqa: S608 - constants
            " FROM stamp WHERE kind = ? ORDER BY key",
            (kind,),
        ).fetchall()
        return list(rows)

    @_decoding
    def look(self, kind: str, key: str) -> tuple[int, int, int, int] | None:
        """Size, modification and change time in nanoseconds, and file number of a source."""
        rows: Any = self._connection.execute(
            "SELECT size, mtime_ns, ctime_ns, inode FROM stamp WHERE kind = ? AND key = ?",
            (kind, key),
        ).fetchall()
        return rows[0] if rows else None

    @_decoding
    def failures(self) -> list[Stamp]:
        """The stamps of sources that were read and skipped."""
        rows = self._connection.execute(
            f"SELECT {_STAMP} FROM stamp WHERE document IS NULL ORDER BY kind, key"  # noqa: S608 - constants
        )
        return list(map(Stamp._make, rows))

    @_decoding
    def languages(self) -> list[str]:
        """The languages of the live documents, sorted."""
        rows = self._connection.execute("SELECT name FROM language ORDER BY name")
        return [name for (name,) in rows]

    @_decoding
    def document(self, kind: str, key: str) -> int | None:
        """The id of a document."""
        found = self._connection.execute(
            "SELECT document FROM stamp WHERE kind = ? AND key = ?", (kind, key)
        ).get
        return None if found is None else int(found)

    @_decoding
    def digest(self, document: int) -> bytes:
        """The SHA-256 of what was indexed of a document."""
        found = self._connection.execute("SELECT sha256 FROM document WHERE id = ?", (document,))
        return bytes(found.get)

    @_decoding
    def text(self, document: int) -> str:
        """The text that was indexed."""
        data = self._connection.execute("SELECT text FROM body WHERE id = ?", (document,)).get
        return zlib.decompress(data).decode()

    @_decoding
    def locate(self, chunks: Sequence[int]) -> list[Located]:
        """Where each chunk stands."""
        query = f"SELECT id, {_RECORD} FROM document WHERE id <= ? ORDER BY id DESC LIMIT 1"  # noqa: S608 - constants
        found: dict[int, Located] = {}
        first = end = 0
        record: Record | None = None
        for chunk in sorted(chunks):
            if record is None or chunk >= end:
                row: Any = self._connection.execute(query, (chunk,)).get
                if row is None or chunk >= row[0] + max(1, row[11]):
                    raise sqlite.damaged(self.path, f"chunk {chunk} belongs to no document")
                first, record = row[0], Record._make((*row[1:], b""))
                end = first + max(1, record.chunks)
            found[chunk] = Located(first, record, chunk - first)
        return [found[chunk] for chunk in chunks]

    @_decoding
    def lexical(
        self, terms: Sequence[str], k: int, *, cut: Cut,
        only: Callable[[Stamp], bool] | None = None, variants: Sequence[Sequence[str]] = (),
    ) -> list[ChunkHit]:  # fmt: skip
        """The best k chunks for distinct `terms`, and those that tie with the last."""
        reader = lexical.Reader(self._connection, self._meta(), self._allowed(only))
        return lexical.best(reader, terms, k, cut, variants)

    @_decoding
    def matching(
        self, terms: Sequence[str], limit: int, *, only: Callable[[Stamp], bool] | None = None
    ) -> list[int]:
        """At most `limit` chunks that hold every term, in the order of their ids."""
        reader = lexical.Reader(self._connection, self._meta(), self._allowed(only))
        return lexical.matching(reader, terms, limit)

    @_decoding
    def scores(
        self, terms: Sequence[str], chunks: Sequence[int], variants: Sequence[Sequence[str]] = ()
    ) -> dict[int, float]:
        """The scores of these chunks, 0.0 where no term is found."""
        reader = lexical.Reader(self._connection, self._meta(), None)
        return lexical.scores(reader, terms, chunks, variants)

    def _allowed(self, only: Callable[[Stamp], bool] | None) -> list[tuple[int, int]] | None:
        """The chunk ranges that a filter lets through; None for all."""
        if only is None:
            return None
        rows: Any = self._connection.execute("SELECT id, chunks FROM document").fetchall()
        chunks = dict(rows)
        return [
            (stamp.document, chunks[stamp.document])
            for stamp in self.stamps()
            if stamp.document is not None and only(stamp)
        ]

    @_decoding
    def statistics(self) -> Statistics:
        """Counts and size."""
        one = self._connection.execute
        documents = one("SELECT count(*) FROM document").get
        facts = one("SELECT count(*) FROM stamp WHERE kind = 'fact' AND document IS NOT NULL").get
        terms = one("SELECT count(*) FROM term").get
        size = sum(_size(self.path + suffix) for suffix in ("", "-wal"))
        return Statistics(int(documents), int(facts), self._meta()["n"], int(terms), size)

    # Writing.

    def set_identity(self, identity: str) -> None:
        """Record what the store is built with."""
        with sqlite.translated(self.path), sqlite.transaction(self._connection):
            self._connection.execute(
                "INSERT OR REPLACE INTO meta VALUES ('identity', ?)", (identity,)
            )

    @_decoding
    def write(
        self,
        puts: Iterable[tuple[Record, Sequence[Mapping[str, int]], Stamp]],
        *,
        removes: Iterable[tuple[str, str]] = (),
        stamps: Iterable[Stamp] = (),
    ) -> None:
        """Put documents (with each chunk's term frequencies), remove others, note stamps."""
        with sqlite.translated(self.path), sqlite.transaction(self._connection):
            writer = _writer(self)
            for kind, key in removes:
                writer.remove(kind, key)
            for record, chunks, stamp in puts:
                writer.put(record, chunks, stamp)
            for stamp in stamps:
                writer.note(stamp)
            writer.finish()
        if self._is_merge_due():
            self.merge()

    def _is_merge_due(self) -> bool:
        meta = self._meta()
        dead = self._connection.execute("SELECT total(chunks) FROM dead").get
        waiting = meta["next_id"] - meta["merged"] + int(dead)
        return waiting > max(DELTA_CHUNKS, DELTA_SHARE * meta["n"])

    def hold(self, pieces: Sequence[Piece], number: int) -> int:
        """Keep task `number`'s pieces of a bulk write until `merge`; their size in bytes.

        Pieces are merged in the order of their tasks.
        """
        from holdfact.engine.storage.pieces import encode

        numbered = dict(enumerate(pieces, number * _TASK_PIECES))
        blocks = [(seq, encode(piece)) for seq, piece in numbered.items()]
        with sqlite.translated(self.path), sqlite.transaction(self._connection):
            self._connection.executemany(
                "INSERT INTO pending VALUES (?, ?, ?)",
                [(seq, zlib.crc32(data), data) for seq, data in blocks],
            )
        self._held.update(numbered)
        return sum([len(data) for _, data in blocks])

    def has_held(self) -> bool:
        """Whether pieces wait for a merge."""
        return bool(self._connection.execute("SELECT EXISTS (SELECT 1 FROM pending)").get)

    def _pieces(self) -> list[Piece]:
        from holdfact.engine.storage.pieces import decode

        one = self._connection.execute
        numbers: Any = one("SELECT seq FROM pending ORDER BY seq").fetchall()
        return [
            self._held.get(seq)
            or decode(*one("SELECT data, crc FROM pending WHERE seq = ?", (seq,)).get)
            for (seq,) in numbers
        ]

    @_decoding
    def merge(
        self, removes: Iterable[tuple[str, str]] = (), stamps: Iterable[Stamp] = (),
        *, complete: bool = False,
    ) -> None:  # fmt: skip
        """Take pending pieces and delta into the lists, in one transaction."""
        with sqlite.translated(self.path), sqlite.transaction(self._connection):
            writer = _writer(self)
            for kind, key in removes:
                writer.remove(kind, key)
            for stamp in stamps:
                writer.note(stamp)
            writer.merge(self._pieces())
            if complete:
                writer.meta["complete"] = 1
            writer.finish()
        self._held.clear()

    def checkpoint(self) -> None:
        """Sync the file, and let others read while it is written."""
        with sqlite.translated(self.path):
            sqlite.share(self._connection)


class _Snapshot:
    """A reading transaction whose errors name the file."""

    __slots__ = ("_parts",)

    def __init__(self, connection: apsw.Connection, path: str) -> None:
        self._parts = (sqlite.translated(path), sqlite.transaction(connection, write=False))

    def __enter__(self) -> None:
        with self._parts[0]:
            self._parts[1].__enter__()

    def __exit__(self, *error: object) -> None:
        with self._parts[0]:
            self._parts[1].__exit__(*error)  # type: ignore[arg-type]
        self._parts[0].__exit__(*error)  # type: ignore[arg-type]


def _writer(storage: SqliteStorage) -> Writer:
    from holdfact.engine.storage.writer import Writer

    return Writer(storage._connection, storage._meta(), storage._recount, storage.text)  # noqa: SLF001 - the other half


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
