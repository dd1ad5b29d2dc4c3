"""BM25 as this product ranks by it, and the same ranking by brute force to hold engines to.

Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with the idf that is never
negative and fields folded into one frequency by integer weights.
"""

from __future__ import annotations

from math import log

from holdfact.core.limits import BM25_B, BM25_K1, FIELD_WEIGHT, MAX_TERM_FREQUENCY
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Ranked", "idf", "rank", "term_score", "weigh"]


class Ranked(NamedTuple):
    """A found entry and its score."""

    id: int
    score: float


def idf(count: int, frequency: int) -> float:
    """The weight of a term that is in `frequency` of `count` entries."""
    return log(1.0 + (count - frequency + 0.5) / (frequency + 0.5))


def term_score(weight: float, frequency: int, length: int, average: float) -> float:
    """What a term of idf `weight`, `frequency` times in an entry of `length` terms, adds to it."""
    norm = BM25_K1 * (1.0 - BM25_B) + BM25_K1 * BM25_B * length / average
    return weight * (BM25_K1 + 1.0) * frequency / (frequency + norm)


def weigh(body: Mapping[str, int], fields: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The frequencies of an entry: its body's, and FIELD_WEIGHT times those of its short fields."""
    weighed = dict(body)
    for field in fields:
        for term, count in field.items():
            weighed[term] = weighed.get(term, 0) + FIELD_WEIGHT * count
    return {term: min(count, MAX_TERM_FREQUENCY) for term, count in weighed.items()}


def rank(
    entries: Mapping[int, Mapping[str, int]], terms: Iterable[str | tuple[str, ...]], k: int
) -> list[Ranked]:
    """The best `k` of `entries` (weighed frequencies by id) for `terms`; ties by id.

    Terms in a tuple are one word in several languages (`Analyzer.query_variants`): each has the
    idf of their added document frequencies. Length is the sum of an entry's frequencies. Terms are
    summed in sorted order, so that floats agree between engines.
    """
    lengths = {id_: sum(counts.values()) for id_, counts in entries.items()}
    average = sum(lengths.values()) / len(lengths) if any(lengths.values()) else 1.0
    scores: dict[int, float] = {}
    for term, weight in sorted(_weights(entries, terms).items()):
        for id_, counts in entries.items():
            if term in counts:
                gain = term_score(weight, counts[term], lengths[id_], average)
                scores[id_] = scores.get(id_, 0.0) + gain
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:k]
    return [Ranked(id_, score) for id_, score in best]


def _weights(
    entries: Mapping[int, Mapping[str, int]], terms: Iterable[str | tuple[str, ...]]
) -> dict[str, float]:
    weights: dict[str, float] = {}
    for group in terms:
        variants = (group,) if isinstance(group, str) else group
        frequency = sum(term in counts for term in variants for counts in entries.values())
        weight = idf(len(entries), min(frequency, len(entries)))
        weights.update(dict.fromkeys(variants, weight))
    return weights
