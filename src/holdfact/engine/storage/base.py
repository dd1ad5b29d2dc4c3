"""What a store of documents must do, on one page. Every provider passes `tests/contract/`.

What MUST hold, whoever implements it:

- **Atomic**: `write` puts and removes all of its documents, or nothing, also after kill -9.
- **Exact at every commit**: `lexical` ranks by `text.bm25` over the live chunks, their number,
  their document frequencies and their mean length; nothing is approximated, nothing that was
  removed still counts.
- **Ids are never reused** within a generation; the chunks of a document have successive ids.
- **Whole revisions**: inside `snapshot()` a reader sees one revision, whatever writers do.
- **One order**: by score, highest first, then by id. Chunks that tie with the last are all
  returned, so a caller may order ties by what it knows and a larger k never changes the beginning.
  Scores are summed over the terms in sorted order, so providers agree to the last bit.
- **Derived**: deleting a store loses nothing. No provider writes to a source.

Left open for later: vectors join `Record` and get `nearest(vector, k, only)`; PostgreSQL implements
this protocol with every key led by its instance. A caller asks `capabilities`, never the type.
"""

from __future__ import annotations

from holdfact.core.record import NamedTuple

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Protocol

    from holdfact.core.types import Kind
else:
    Protocol = object

__all__ = [
    "SPAN", "SPAN_LENGTH", "Capabilities", "ChunkHit", "Cut", "Located", "Record", "Stamp",
    "Statistics", "Storage",
]  # fmt: skip


SPAN = 6
SPAN_LENGTH = 4


class Capabilities(NamedTuple):
    """What a provider can do, fixed for its life."""

    name: str
    has_lexical: bool
    has_vectors: bool
    is_embedded: bool


class Stamp(NamedTuple):
    """What a source looked like when it was read: sizes in bytes, times in nanoseconds.

    `document` is None where it was read and skipped for `reason`. `is_racy`: it was modified so
    shortly before it was read that it may have changed again without showing it.
    """

    kind: str
    key: str
    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    is_racy: int = 0
    document: int | None = None
    reason: str = ""


class Record(NamedTuple):
    """A document as it is stored.

    `spans` holds `SPAN` native 32-bit numbers a chunk: start, end (code points of the text), first
    and last line (of the text, from 1), length (terms, fields weighted), CRC-32 of the chunk's
    text. `body` is the deflated text.
    """

    kind: Kind
    key: str
    path: str
    title: str
    name: str
    description: str
    scope: str
    language: str
    first_line: int
    sha256: bytes
    chunks: int
    spans: bytes
    body: bytes


class ChunkHit(NamedTuple):
    """A chunk and its BM25 score."""

    chunk: int
    score: float


class Cut(NamedTuple):
    """Which hits are noise.

    Attributes:
        share: below this share of the best score.
        coverage: the terms that it has carry less than this share of the query's information.
        readings: the query in each language of the corpus, as words, each with its terms (a whole
            identifier and its parts are one word); the share is of the reading that is known best.
            Empty: each term is a word.
    """

    share: float
    coverage: float
    readings: tuple[tuple[tuple[str, ...], ...], ...] = ()


class Located(NamedTuple):
    """A chunk in its document: the record without its body, and which of its chunks it is."""

    document: int
    record: Record
    ordinal: int


class Statistics(NamedTuple):
    """Counts of live rows, and `bytes` on disk."""

    documents: int
    facts: int
    chunks: int
    terms: int
    bytes: int


class Storage(Protocol):
    """A store of documents and their chunks (see the module's text for what must hold)."""

    capabilities: Capabilities

    def revision(self) -> int:
        """A number that grows with every commit."""

    def identity(self) -> str:
        """The identity that the store was built with; empty before it is set."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything read in the block is of one revision."""

    def stamps(self) -> list[Stamp]:
        """Every known source, ordered by kind and key."""

    def write(
        self,
        puts: Iterable[tuple[Record, Sequence[Mapping[str, int]], Stamp]],
        *,
        removes: Iterable[tuple[str, str]] = (),
        stamps: Iterable[Stamp] = (),
    ) -> None:
        """Put documents (with each chunk's term frequencies), remove others, note stamps."""

    def languages(self) -> list[str]:
        """The languages of the live documents, sorted."""

    def lexical(
        self, terms: Sequence[str], k: int, *, cut: Cut,
        only: Callable[[Stamp], bool] | None = None, variants: Sequence[Sequence[str]] = (),
    ) -> list[ChunkHit]:  # fmt: skip
        """The best k chunks for distinct `terms`, and those that tie with the last.

        `variants` are groups of terms, each in one group at most, that are one word in several
        languages: all of a group weigh what a term of their summed document frequencies (at most
        the number of chunks) weighs.
        """

    def matching(
        self, terms: Sequence[str], limit: int, *, only: Callable[[Stamp], bool] | None = None
    ) -> list[int]:
        """At most `limit` chunks that hold every term, in the order of their ids."""

    def scores(
        self, terms: Sequence[str], chunks: Sequence[int], variants: Sequence[Sequence[str]] = ()
    ) -> dict[int, float]:
        """The scores of these chunks, 0.0 where no term is found; `variants` as in `lexical`."""

    def locate(self, chunks: Sequence[int]) -> list[Located]:
        """Where each chunk stands."""

    def document(self, kind: str, key: str) -> int | None:
        """The id of a document."""

    def text(self, document: int) -> str:
        """The text that was indexed."""

    def statistics(self) -> Statistics:
        """Counts and size."""

    def close(self) -> None:
        """Give the file back."""
