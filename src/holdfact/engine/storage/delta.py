"""Documents written one by one: signed rows beside the postings, exact in the same transaction.

A young document adds rows with its postings. Removing it takes them out again; removing a document
that is already merged adds rows that subtract from document frequencies, and marks its chunks dead.
Both analyse the stored text again, so no forward index is kept; the analyser is part of the
identity of the index.
"""

from __future__ import annotations

from array import array

from holdfact.core.limits import MAX_TERM_FREQUENCY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import apsw

__all__ = ["add", "removal_rows", "rows_of", "take_out"]


def rows_of(
    document: int, lengths: Sequence[int], chunks: Sequence[Mapping[str, int]]
) -> list[tuple[str, int, int, bytes]]:
    """The delta rows of a young document, ordered by term."""
    lists: dict[str, tuple[array[int], array[int], bytearray]] = {}
    for number, counts in enumerate(chunks):
        for term, tf in counts.items():
            entry = lists.get(term)
            if entry is None:
                entry = lists[term] = (array("I"), array("H"), bytearray())
            entry[0].append(document + number)
            entry[1].append(lengths[number])
            entry[2].append(min(tf, MAX_TERM_FREQUENCY))
    return [
        (term, document, len(tfs), ids.tobytes() + sizes.tobytes() + tfs)
        for term, (ids, sizes, tfs) in sorted(lists.items())
    ]


def add(connection: apsw.Connection, rows: Iterable[tuple[str, int, int, bytes]]) -> None:
    """Write delta rows."""
    connection.executemany("INSERT INTO delta VALUES (?, ?, ?, ?)", rows)


def removal_rows(
    document: int, chunks: Sequence[Mapping[str, int]]
) -> list[tuple[str, int, int, bytes]]:
    """The rows that subtract a merged document."""
    frequencies: dict[str, int] = {}
    for counts in chunks:
        for term in counts:
            frequencies[term] = frequencies.get(term, 0) - 1
    return [(term, document, df, b"") for term, df in sorted(frequencies.items())]


def take_out(
    connection: apsw.Connection, document: int, chunks: Sequence[Mapping[str, int]]
) -> None:
    """Delete the rows of a young document."""
    terms = sorted({term for counts in chunks for term in counts})
    connection.executemany(
        "DELETE FROM delta WHERE term = ? AND document = ?", [(term, document) for term in terms]
    )


def postings(data: bytes) -> tuple[memoryview, memoryview, bytes]:
    """The chunk ids, lengths and frequencies of a young document's row."""
    count = len(data) // 7
    view = memoryview(data)
    return view[: 4 * count].cast("I"), view[4 * count : 6 * count].cast("H"), data[6 * count :]
