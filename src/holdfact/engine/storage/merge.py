"""Merging: what waits in delta and in pending pieces goes into the lists, in one transaction.

Only the containers of changed terms are rewritten. Chunks that are gone leave the lists here, so
after a merge the lists hold exactly the live chunks.
"""

from __future__ import annotations

from array import array

from holdfact.core.limits import CONTAINER_CHUNKS, INLINE_POSTINGS
from holdfact.engine.storage.delta import postings
from holdfact.engine.storage.postings import (
    Inverted,
    Part,
    few_head,
    join_few,
    moved,
    pack,
    split_few,
    unpack,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    import apsw

__all__ = ["Changes", "apply"]

# Container, ids, frequencies: one addition in a flat list.
_ONE = 3
_ADD_TERM = "INSERT INTO term VALUES (?, ?, ?, ?)"
_ADD_POST = "INSERT INTO post VALUES (?, ?)"


class Changes:
    """What is added to and removed from the lists.

    Attributes:
        added: per term a flat list of container, ids, frequencies, container, ids, ...; ascending.
        removed: terms that dead chunks have.
        dead: per container the low halves of dead chunk ids.
        lengths: per chunk id its new length; 0 for a dead one.
    """

    __slots__ = ("added", "dead", "lengths", "removed")

    def __init__(self) -> None:
        self.added: dict[str, list[Any]] = {}
        self.removed: set[str] = set()
        self.dead: dict[int, set[int]] = {}
        self.lengths: dict[int, int] = {}

    def read_delta(self, connection: apsw.Connection) -> None:
        """Take what stands in delta and dead."""
        for term, chunks, data in connection.execute(
            "SELECT term, chunks, data FROM delta ORDER BY term, document"
        ):
            if chunks < 0:
                self.removed.add(term)
            else:
                self._add_young(term, data)
        for document, chunks in connection.execute("SELECT document, chunks FROM dead"):
            for chunk in range(document, document + chunks):
                self.dead.setdefault(chunk >> 16, set()).add(chunk & 0xFFFF)
                self.lengths[chunk] = 0

    def _add_young(self, term: str, data: bytes) -> None:
        ids, sizes, tfs = postings(data)
        entry = self.added.setdefault(term, [])
        for chunk, length, tf in zip(ids, sizes, tfs, strict=True):
            self.lengths[chunk] = length
            entry += (chunk >> 16, array("H", [chunk & 0xFFFF]).tobytes(), bytes((tf,)))

    def add_piece(self, piece: Inverted, first_chunk: int) -> None:
        """Add the postings of an analysed piece whose first chunk has this id."""
        if not piece.counts:
            return
        container = first_chunk // CONTAINER_CHUNKS
        ids = moved(piece.ids, first_chunk % CONTAINER_CHUNKS)
        tfs = piece.frequencies
        added = self.added
        get = added.get
        start = 0
        for term, count in zip(piece.terms.split("\n"), array("I", piece.counts), strict=True):
            end = start + count
            entry = get(term)
            if entry is None:
                added[term] = [container, ids[2 * start : 2 * end], tfs[start:end]]
            else:
                entry += (container, ids[2 * start : 2 * end], tfs[start:end])
            start = end


def apply(connection: apsw.Connection, changes: Changes, next_term: int) -> int:
    """Write the changes into the lists and lengths; the next free term id afterwards."""
    next_term = _update(connection, changes, next_term) if next_term else _fill(connection, changes)
    _write_lengths(connection, changes.lengths)
    return next_term


def _fill(connection: apsw.Connection, changes: Changes) -> int:
    posts: list[tuple[int, bytes]] = []

    def terms() -> Iterator[tuple[str, int, int, bytes | None]]:
        for number, term in enumerate(sorted(changes.added)):
            entry = changes.added[term]
            at = entry[0]
            if at == entry[-_ONE]:  # containers ascend: it is the only one, as for nearly all
                ids, tfs = b"".join(entry[1::_ONE]), b"".join(entry[2::_ONE])
                df = len(tfs)
                if df <= INLINE_POSTINGS:
                    yield term, number, df, few_head(df, at) + ids + tfs
                else:
                    posts.append((number << 16 | at, ids + tfs))
                    yield term, number, df, None
                continue
            parts = _joined(entry)
            df = sum([len(part.frequencies) for _, part in parts])
            if df <= INLINE_POSTINGS:
                yield term, number, df, join_few(parts)
            else:
                posts.extend([(number << 16 | at, pack(part)) for at, part in parts])
                yield term, number, df, None

    connection.executemany(_ADD_TERM, terms())
    connection.executemany(_ADD_POST, posts)
    return len(changes.added)


def _joined(entry: list[Any]) -> list[tuple[int, Part]]:
    """A flat list of additions, one part a container."""
    grouped: dict[int, tuple[list[bytes], list[bytes]]] = {}
    for at, ids, tfs in zip(entry[::_ONE], entry[1::_ONE], entry[2::_ONE], strict=True):
        group = grouped.setdefault(at, ([], []))
        group[0].append(ids)
        group[1].append(tfs)
    return [(at, Part(b"".join(ids), b"".join(tfs))) for at, (ids, tfs) in grouped.items()]


def _update(connection: apsw.Connection, changes: Changes, next_term: int) -> int:
    for term in sorted(changes.added.keys() | changes.removed):
        added = _joined(changes.added.get(term, []))
        row = connection.execute("SELECT id, df, few FROM term WHERE term = ?", (term,)).get
        if row is None:
            _new_term(connection, term, next_term, added)
            next_term += 1
        else:
            dead = changes.dead if term in changes.removed else {}
            _change_term(connection, term, row, added, dead)
    return next_term


def _new_term(
    connection: apsw.Connection, term: str, number: int, parts: list[tuple[int, Part]]
) -> None:
    df = sum([len(part.frequencies) for _, part in parts])
    few = join_few(parts) if df <= INLINE_POSTINGS else None
    connection.execute(_ADD_TERM, (term, number, df, few))
    if few is None:
        for at, part in parts:
            connection.execute(_ADD_POST, (number << 16 | at, pack(part)))


def _change_term(
    connection: apsw.Connection,
    term: str,
    row: tuple[int, int, bytes | None],
    added: list[tuple[int, Part]],
    dead: Mapping[int, set[int]],
) -> None:
    number, df, few = row
    touched = {at for at, _ in added} | dead.keys()
    old = _posts(connection, number, touched) if few is None else dict(split_few(few))
    before = sum([len(part.frequencies) for part in old.values()])
    new = {at: _without(part, dead.get(at)) for at, part in old.items()}
    for at, part in added:
        known = new.get(at, Part(b"", b""))
        new[at] = Part(known.ids + part.ids, known.frequencies + part.frequencies)
    df += sum([len(part.frequencies) for part in new.values()]) - before
    if few is not None and df <= INLINE_POSTINGS:
        parts = [(at, part) for at, part in sorted(new.items()) if part.ids]
        _set_term(connection, term, df, join_few(parts))
        return
    _set_term(connection, term, df, None)
    for at, part in new.items():
        _set_post(connection, number << 16 | at, part)


def _set_term(connection: apsw.Connection, term: str, df: int, few: bytes | None) -> None:
    if df:
        connection.execute("UPDATE term SET df = ?, few = ? WHERE term = ?", (df, few, term))
    else:
        connection.execute("DELETE FROM term WHERE term = ?", (term,))


def _set_post(connection: apsw.Connection, number: int, part: Part) -> None:
    if part.ids:
        connection.execute("INSERT OR REPLACE INTO post VALUES (?, ?)", (number, pack(part)))
    else:
        connection.execute("DELETE FROM post WHERE id = ?", (number,))


def _posts(connection: apsw.Connection, number: int, containers: set[int]) -> dict[int, Part]:
    found: dict[int, Part] = {}
    for at in sorted(containers):
        data = connection.execute("SELECT data FROM post WHERE id = ?", (number << 16 | at,)).get
        if data is not None:
            found[at] = unpack(data)
    return found


def _without(part: Part, dead: set[int] | None) -> Part:
    if not dead:
        return part
    ids = memoryview(part.ids).cast("H")
    kept = [at for at, low in enumerate(ids) if low not in dead]
    if len(kept) == len(ids):
        return part
    lows = array("H", [ids[at] for at in kept])
    return Part(lows.tobytes(), bytes([part.frequencies[at] for at in kept]))


def _write_lengths(connection: apsw.Connection, lengths: Mapping[int, int]) -> None:
    for container in sorted({chunk >> 16 for chunk in lengths}):
        data = connection.execute("SELECT data FROM length WHERE container = ?", (container,)).get
        row = array("H", data or b"")
        here = [
            (chunk & 0xFFFF, size) for chunk, size in lengths.items() if chunk >> 16 == container
        ]
        missing = max(here)[0] + 1 - len(row)
        row.extend([0] * missing)  # negative: nothing
        for low, size in here:
            row[low] = size
        connection.execute(
            "INSERT OR REPLACE INTO length VALUES (?, ?)", (container, row.tobytes())
        )
