"""Exact BM25 over the posting lists: the best k chunks without scoring every one.

Terms are taken from the rarest on. As long as a chunk that none of the terms so far has could still
win, its term's whole list is scored; after that only chunks already seen are completed (MaxScore:
Turtle and Flood, 1995). What is left is scored once more, the terms in sorted order, so that equal
questions get equal numbers whatever the way to them.
"""

from __future__ import annotations

from bisect import bisect_left
from math import log

from holdfact.core.limits import BM25_B, BM25_K1
from holdfact.core.record import NamedTuple
from holdfact.engine.storage.base import ChunkHit, Cut
from holdfact.engine.storage.delta import postings
from holdfact.engine.storage.postings import split_few, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    import apsw

__all__ = ["Reader", "best", "matching", "scores"]

# score = idf * _GAIN * tf / (tf + _FLAT + _SLOPE * length / mean): text.bm25, taken apart.
_GAIN = BM25_K1 + 1.0
_FLAT = BM25_K1 * (1.0 - BM25_B)
_SLOPE = BM25_K1 * BM25_B
# The weight of a term that half of the chunks have.
_LEAST_WEIGHT = log(2.0) * _GAIN
# A list is made a table when it has less than this many postings for each chunk to look up.
_TABLE_SHARE = 16
# Sums in another order differ in the last bits; bounds are loosened by this much.
_SLACK = 1.0 + 1e-9


class Run(NamedTuple):
    """Postings whose chunk ids are `base` + one of `ids`, ascending."""

    base: int
    ids: memoryview
    frequencies: bytes


class Term(NamedTuple):
    """One term of a query; `bound` is above every score, `frequency` counts live chunks."""

    term: str
    weight: float
    bound: float
    size: int
    runs: list[Run]
    frequency: int


class Reader:
    """The posting lists of one snapshot.

    Args:
        connection: inside a reading transaction.
        meta: the counters of the store.
        allowed: ranges (first chunk, chunks) to search; None for all.
    """

    __slots__ = ("_connection", "_lengths", "_mask", "_young", "mean", "n")

    def __init__(
        self,
        connection: apsw.Connection,
        meta: dict[str, int],
        allowed: list[tuple[int, int]] | None,
    ) -> None:
        self._connection = connection
        self.n = meta["n"]
        self.mean = meta["total"] / self.n if meta["total"] else 1.0
        self._lengths: dict[int, memoryview] = {}
        self._young: dict[int, int] = {}
        self._mask = self._masked(meta["next_id"], allowed)

    def _masked(self, size: int, allowed: list[tuple[int, int]] | None) -> bytearray | None:
        dead: Any = self._connection.execute("SELECT document, chunks FROM dead").fetchall()
        if allowed is None and not dead:
            return None
        mask = bytearray(size) if allowed is not None else bytearray(b"\1") * size
        for first, chunks in allowed or ():
            mask[first : first + chunks] = b"\1" * chunks
        for first, chunks in dead:
            mask[first : first + chunks] = bytes(chunks)
        return mask

    def is_allowed(self, chunk: int) -> bool:
        """Whether the chunk is alive and inside the filter."""
        return self._mask is None or self._mask[chunk] == 1

    def only_allowed(self, scores: dict[int, float]) -> dict[int, float]:
        """The scores of chunks that may be found."""
        mask = self._mask
        if mask is None:
            return scores
        return {chunk: score for chunk, score in scores.items() if mask[chunk]}

    def idf(self, frequency: int) -> float:
        """How much a term tells that stands in so many chunks."""
        return log(1.0 + (self.n - frequency + 0.5) / (frequency + 0.5))

    def length(self, chunk: int) -> int:
        """The length of a chunk that a list names."""
        young = self._young.get(chunk)
        return self.lengths(chunk >> 16)[chunk & 0xFFFF] if young is None else young

    def lengths(self, container: int) -> memoryview:
        """The lengths of a container's merged chunks."""
        row = self._lengths.get(container)
        if row is None:
            data = self._connection.execute(
                "SELECT data FROM length WHERE container = ?", (container,)
            ).get
            row = self._lengths[container] = memoryview(data or b"").cast("H")
        return row

    def term(self, term: str) -> Term | None:
        """The postings of a term; None when no live chunk has it."""
        row: Any = self._connection.execute(
            "SELECT id, df, few FROM term WHERE term = ?", (term,)
        ).get
        runs: list[Run] = []
        frequency = 0
        if row is not None:
            frequency = row[1]
            runs = self._runs(row[0], row[2])
        young: Any = self._connection.execute(
            "SELECT chunks, data FROM delta WHERE term = ? ORDER BY document", (term,)
        )
        for chunks, data in young:
            frequency += chunks
            if data:
                ids, sizes, tfs = postings(data)
                self._young.update(zip(ids, sizes, strict=True))
                runs.append(Run(0, ids, tfs))
        if not frequency:
            return None
        weight = self.idf(frequency) * _GAIN
        highest = max([max(run.frequencies) for run in runs])
        size = sum([len(run.frequencies) for run in runs])
        bound = weight * highest / (highest + _FLAT)
        return Term(term, weight, bound, size, runs, frequency)

    def _runs(self, number: int, few: bytes | None) -> list[Run]:
        if few is not None:
            parts = split_few(few)
        else:
            parts = [
                (found & 0xFFFF, unpack(data))
                for found, data in self._connection.execute(
                    "SELECT id, data FROM post WHERE id BETWEEN ? AND ? ORDER BY id",
                    (number << 16, number << 16 | 0xFFFF),
                )
            ]
        return [
            Run(container << 16, memoryview(part.ids).cast("H"), part.frequencies)
            for container, part in parts
        ]

    def sizes_of(self, run: Run) -> list[int]:
        """The length of each chunk of a run."""
        if run.ids.format == "I":
            young = self._young
            return [young[chunk] for chunk in run.ids]
        row = self.lengths(run.base >> 16)
        return [row[low] for low in run.ids]


def best(
    reader: Reader, terms: Sequence[str], k: int, cut: Cut, variants: Sequence[Sequence[str]] = ()
) -> list[ChunkHit]:
    """The best k chunks that are not noise, and those that tie with the last."""
    found = _known(reader, terms, variants)
    if not found:
        return []
    seen, least = _candidates(reader, found, k, cut.share)
    scored = _exact(reader, found, seen, least)
    if not scored:
        return []
    floor = max(scored.values()) * cut.share
    # A score is below the weights of its terms, so a high one has the coverage without a look.
    needed = (
        _information(reader, found, cut.readings or (tuple((term,) for term in set(terms)),))
        * cut.coverage
    )
    hits = [
        ChunkHit(chunk, score)
        for chunk, score in scored.items()
        if score >= floor and (score >= needed or _covered(found, chunk) >= needed)
    ]
    hits.sort(key=_order)
    return _with_ties(hits, k)


def _information(
    reader: Reader, found: list[Term], readings: Sequence[Sequence[Sequence[str]]]
) -> float:
    """The weights of a query's words, unknown ones at the highest; of the smallest reading.

    A word weighs what the most telling of its terms weighs that is known.
    """
    weights = {term.term: _telling(term) for term in found}
    unknown = max(reader.idf(0) * _GAIN, _LEAST_WEIGHT)
    return min(
        [
            sum([max([weights.get(term, 0.0) for term in word]) or unknown for word in words])
            for words in readings
        ]
    )


def _known(reader: Reader, terms: Sequence[str], variants: Sequence[Sequence[str]]) -> list[Term]:
    """The terms that live chunks have, sorted; those of one word weigh the same.

    The stem of a language that few documents are in would else outweigh all others.
    """
    found = {term.term: term for term in map(reader.term, sorted(set(terms))) if term is not None}
    for group in variants:
        known = [found[term] for term in group if term in found]
        if len(known) > 1:
            frequency = min(sum([term.frequency for term in known]), reader.n)
            weight = reader.idf(frequency) * _GAIN
            for term in known:
                bound = term.bound * weight / term.weight
                found[term.term] = term._replace(weight=weight, bound=bound)
    return list(found.values())


def scores(
    reader: Reader, terms: Sequence[str], chunks: Sequence[int],
    variants: Sequence[Sequence[str]] = (),
) -> dict[int, float]:  # fmt: skip
    """The scores of these chunks."""
    if not chunks:
        return {}
    found = _known(reader, terms, variants)
    return _exact(reader, found, dict.fromkeys(chunks, 0.0), 0.0)


def _order(hit: ChunkHit) -> tuple[float, int]:
    return (-hit.score, hit.chunk)


def _with_ties(hits: list[ChunkHit], k: int) -> list[ChunkHit]:
    end = k
    while end < len(hits) and hits[end].score == hits[k - 1].score:
        end += 1
    return hits[:end]


def _candidates(
    reader: Reader, found: list[Term], k: int, share: float
) -> tuple[dict[int, float], float]:
    """Chunks that may be among the best with what is known of their scores, and the k-th score."""
    rest = sum([term.bound for term in found])
    scores: dict[int, float] = {}
    least = 0.0
    waiting = sorted(found, key=lambda term: (term.size, term.term))
    while waiting and rest * _SLACK >= least:
        term = waiting.pop(0)
        _score_all(reader, term, scores)
        rest -= term.bound
        if waiting:
            least = _least(reader.only_allowed(scores), k, share)
    scores = reader.only_allowed(scores)
    for term in waiting:
        if least:
            reach = (least - rest * _SLACK) / _SLACK
            scores = {chunk: score for chunk, score in scores.items() if score >= reach}
        _score_seen(reader, term, scores)
        rest -= term.bound
        least = max(least, _least(scores, k, share))
    return scores, max(least, _least(scores, k, share))


def _least(scores: dict[int, float], k: int, share: float) -> float:
    """What a chunk must score at least: the k-th best, or the share of the best."""
    if not scores:
        return 0.0
    floor = max(scores.values()) * share
    high = [score for score in scores.values() if score >= floor]
    if len(high) <= k:
        return floor
    high.sort(reverse=True)
    return high[k - 1]


def _score_all(reader: Reader, term: Term, scores: dict[int, float]) -> None:
    weight = term.weight
    slope = _SLOPE / reader.mean
    get = scores.get
    for run in term.runs:
        base = run.base
        rows = zip(run.ids, run.frequencies, reader.sizes_of(run), strict=True)
        if base:
            for low, tf, size in rows:
                chunk = base + low
                scores[chunk] = get(chunk, 0.0) + weight * tf / (tf + _FLAT + slope * size)
        elif scores:
            for chunk, tf, size in rows:
                scores[chunk] = get(chunk, 0.0) + weight * tf / (tf + _FLAT + slope * size)
        else:
            scores.update(
                {chunk: weight * tf / (tf + _FLAT + slope * size) for chunk, tf, size in rows}
            )


def _score_seen(reader: Reader, term: Term, scores: dict[int, float]) -> None:
    weight = term.weight
    slope = _SLOPE / reader.mean
    for chunk, tf in _frequencies(term, scores):
        scores[chunk] += weight * tf / (tf + _FLAT + slope * reader.length(chunk))


def _frequencies(term: Term, chunks: dict[int, float]) -> Iterator[tuple[int, int]]:
    """Those of `chunks` that have the term, and how often; in any order."""
    for run in term.runs:
        ids = run.ids
        if len(ids) > _TABLE_SHARE * len(chunks):
            one = term._replace(runs=[run])
            yield from [(chunk, tf) for chunk in chunks if (tf := _frequency(one, chunk))]
        else:  # a table of the whole list costs less than as many searches
            places = map(run.base.__add__, ids) if run.base else ids
            table = dict(zip(places, run.frequencies, strict=True))
            yield from [(chunk, table[chunk]) for chunk in table.keys() & chunks.keys()]


def _frequency(term: Term, chunk: int) -> int:
    """How often a chunk has the term."""
    for run in term.runs:
        low = chunk - run.base
        ids = run.ids
        if ids[0] <= low <= ids[-1]:
            at = bisect_left(ids, low)
            if ids[at] == low:
                return run.frequencies[at]
    return 0


def _covered(found: list[Term], chunk: int) -> float:
    return sum([_telling(term) for term in found if _frequency(term, chunk)])


def _telling(term: Term) -> float:
    """A term's share of the information: in a small memory a word of every text still counts."""
    return max(term.weight, _LEAST_WEIGHT)


def _exact(
    reader: Reader, found: list[Term], seen: dict[int, float], least: float
) -> dict[int, float]:
    """The scores, summed in the sorted order of the terms, of what may be among the best."""
    slope = _SLOPE / reader.mean
    scored = dict.fromkeys([chunk for chunk, about in seen.items() if about * _SLACK >= least], 0.0)
    # Only a list that names a chunk has told its length.
    norms: dict[int, float] = {}
    for term in found:
        weight = term.weight
        for chunk, tf in _frequencies(term, scored):
            norm = norms.get(chunk)
            if norm is None:
                norm = norms[chunk] = _FLAT + slope * reader.length(chunk)
            scored[chunk] += weight * tf / (tf + norm)
    return scored


def matching(reader: Reader, terms: Sequence[str], limit: int) -> list[int]:
    """At most `limit` chunks that hold every term, in the order of their ids."""
    found = [reader.term(term) for term in sorted(set(terms))]
    lists = [term for term in found if term is not None]
    if not lists or len(lists) < len(found):
        return []
    lists.sort(key=lambda term: term.size)
    chunks: list[int] = []
    for run in lists[0].runs:
        for low in run.ids:
            chunk = run.base + low
            if reader.is_allowed(chunk) and all(_frequency(term, chunk) for term in lists[1:]):
                chunks.append(chunk)
                if len(chunks) == limit:
                    return chunks
    return chunks
