"""From a query to hits: one a document, with its best chunk.

**Invariant:** the order does not depend on k: the first five are the first five of ten.
"""

from __future__ import annotations

from holdfact.core.errors import StoreCorrupt
from holdfact.core.limits import (
    CUT_COVERAGE,
    CUT_SCORE_SHARE,
    RECALL_POOL_CHUNKS,
    SNIPPET_RECALL_BYTES,
)
from holdfact.core.record import NamedTuple
from holdfact.engine.exact import NAMED, ORDINARY, Lifted, chunk_text, find_exact, span_of
from holdfact.engine.storage.base import Cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfact.engine.storage.base import Located, Stamp, Storage
    from holdfact.text.tokenizer import Analyzer

__all__ = ["Filter", "Hit", "Retrieved", "retrieve"]

# Among equals a project's facts come first, then those of the user, then documents.
_SCOPE_ORDER = {"project": 0, "global": 1}
_POOL_GROWTH = 4


class Filter(NamedTuple):
    """What a search is narrowed to.

    Attributes:
        kinds: `fact`, `document`; empty for both.
        scope: `project` or `global`: facts of that scope only; empty for all.
        path_glob: a glob of paths relative to the root; empty for all. Facts have no such path.
        hidden: (kind, key) that must not be found.
    """

    kinds: tuple[str, ...] = ()
    scope: str = ""
    path_glob: str = ""
    hidden: frozenset[tuple[str, str]] = frozenset()


class Hit(NamedTuple):
    """A document that was found.

    Attributes:
        rank: from 1.
        kind, id, path, title, scope: of the document.
        lines: first and last line of its best chunk in the file.
        score: BM25 of that chunk.
        is_exact: the query names it: its id, its path, a quoted phrase, a code.
        snippet: the part of the chunk that shows the match; empty when the source changed since.
        matches: ranges (start, end) of the snippet's code points that match.
        sha256: of what was indexed.
        changed_since_indexed: whether the source is different now.
        duplicates: other documents whose best chunk has the same text, left out.
    """

    rank: int
    kind: str
    id: str
    path: str
    title: str
    scope: str
    lines: tuple[int, int]
    score: float
    is_exact: bool
    snippet: str
    matches: tuple[tuple[int, int], ...]
    sha256: str
    changed_since_indexed: bool
    duplicates: int


class Retrieved(NamedTuple):
    """What a query found.

    Attributes:
        hits: the best k.
        total: hits before k, counted among the best `RECALL_POOL_CHUNKS` chunks or more.
        generation, revision: of the index that answered.
        stale: paths whose indexed text is not what the disk holds.
    """

    hits: list[Hit]
    total: int
    generation: int
    revision: int
    stale: list[str]


class _Found(NamedTuple):
    place: int
    score: float
    located: Located
    duplicates: int = 0


def retrieve(  # noqa: PLR0913, PLR0917 - the parts of a question
    storage: Storage, analyzer: Analyzer, query: str, k: int, narrow: Filter,
    stale: frozenset[tuple[str, str]],
) -> tuple[list[Hit], int, int]:  # fmt: skip
    """The hits of a query, their total, and the revision that answered.

    Args:
        storage: what to search.
        analyzer: the one that the storage was built with.
        query: any text.
        k: the most hits.
        narrow: what to search in.
        stale: (kind, key) of documents whose source changed.
    """
    with storage.snapshot():
        languages = [_known(analyzer, language) for language in storage.languages()]
        only = _filter(narrow)
        lifted = find_exact(storage, analyzer, query, languages, only)
        readings = tuple([_words(analyzer, query, language) for language in languages or [""]])
        terms = sorted({term for words in readings for word in words for term in word})
        cut = Cut(CUT_SCORE_SHARE, CUT_COVERAGE, readings)
        variants = _variants(analyzer, query, languages)
        pool = RECALL_POOL_CHUNKS
        while True:
            chunks = storage.lexical(terms, pool, cut=cut, only=only, variants=variants)
            found = _documents(storage, terms, variants, lifted, dict(chunks))
            if len(found) >= k or len(chunks) < pool:
                break
            pool *= _POOL_GROWTH
        plain: dict[str, set[str]] = {}
        hits = [
            _hit(storage, analyzer, terms, rank, one, stale, plain)
            for rank, one in enumerate(found[:k], 1)
        ]
        return hits, len(found), storage.revision()


def _known(analyzer: Analyzer, language: str) -> str:
    """A language that the index names, which was known when it was written."""
    if not analyzer.knows(language):
        raise StoreCorrupt(f"the search index is damaged: it names the language {language!r}")
    return language


def _words(analyzer: Analyzer, query: str, language: str) -> tuple[tuple[str, ...], ...]:
    """The words of a query that count, each with its terms."""
    wanted = dict.fromkeys(analyzer.query_terms(query, [language]))
    words: list[tuple[str, ...]] = []
    for raw in query.split():
        terms = [term for term in dict.fromkeys(analyzer.terms(raw, language)) if term in wanted]
        if terms:
            words.append(tuple(terms))
            for term in terms:
                del wanted[term]
    return (*words, *((term,) for term in wanted))


def _filter(narrow: Filter) -> Callable[[Stamp], bool] | None:
    if narrow == Filter():
        return None
    kinds, hidden = narrow.kinds, narrow.hidden
    prefix = narrow.scope + "/" if narrow.scope else ""
    matches: Callable[[str], bool] | None = None
    if narrow.path_glob:
        from holdfact.core.globs import path_matcher

        matches = path_matcher([narrow.path_glob])

    def allows(stamp: Stamp) -> bool:
        if kinds and stamp.kind not in kinds:
            return False
        if prefix and not (stamp.kind == "fact" and stamp.key.startswith(prefix)):
            return False
        if matches and not (stamp.kind == "document" and matches(stamp.path)):
            return False
        return (stamp.kind, stamp.key) not in hidden

    return allows


def _variants(analyzer: Analyzer, query: str, languages: Sequence[str]) -> list[tuple[str, ...]]:
    """The words that have several terms, one or more a language."""
    if len(languages) < 2:  # noqa: PLR2004 - one language has no variants
        return []
    return [terms for terms in analyzer.query_variants(query, languages) if len(terms) > 1]


def _documents(
    storage: Storage, terms: Sequence[str], variants: Sequence[Sequence[str]],
    lifted: list[Lifted], scores: dict[int, float],
) -> list[_Found]:  # fmt: skip
    """One entry a document, ordered, equal texts collapsed."""
    places = {one.chunk: one.place for one in reversed(lifted)}
    # Every chunk of a named document: its best one must not depend on the pool.
    named = _chunks_of(storage, [one.chunk for one in lifted if one.place == NAMED])
    places.update(dict.fromkeys(named, NAMED))
    missing = [chunk for chunk in places if chunk not in scores]
    scores = {**scores, **storage.scores(terms, missing, variants)}
    best: dict[int, _Found] = {}
    for located in storage.locate(list(scores)):
        chunk = located.document + located.ordinal
        found = _Found(places.get(chunk, ORDINARY), scores[chunk], located)
        known = best.get(located.document)
        if known is None:
            best[located.document] = found
        else:
            best[located.document] = _better(known, found)
    return _collapsed(sorted(best.values(), key=_order))


def _chunks_of(storage: Storage, documents: Sequence[int]) -> list[int]:
    """Every chunk of these documents."""
    return [
        located.document + ordinal
        for located in storage.locate(documents)
        for ordinal in range(max(1, located.record.chunks))
    ]


def _better(one: _Found, other: _Found) -> _Found:
    """Which chunk shows a document: the one with the phrase or code, else the best."""
    return min(one, other, key=lambda found: (found.place, -found.score, found.located.ordinal))


def _order(found: _Found) -> tuple[int, float, int, str]:
    record = found.located.record
    scope = _SCOPE_ORDER.get(record.scope, len(_SCOPE_ORDER))
    return (found.place, -found.score, scope, record.key)


def _collapsed(ordered: list[_Found]) -> list[_Found]:
    """Leave out documents whose best chunk has the text of one before; facts always stay."""
    kept: list[_Found] = []
    seen: dict[tuple[int, int], int] = {}
    for found in ordered:
        if found.located.record.kind == "fact":
            kept.append(found)
            continue
        start, end, _, _, _, checksum = span_of(found.located)
        text = (checksum, end - start)
        if text in seen and found.place != NAMED:
            at = seen[text]
            kept[at] = kept[at]._replace(duplicates=kept[at].duplicates + 1)
        else:
            seen[text] = len(kept)
            kept.append(found)
    return kept


def _hit(  # noqa: PLR0913, PLR0917 - the parts of a hit
    storage: Storage, analyzer: Analyzer, terms: Sequence[str], rank: int, found: _Found,
    stale: frozenset[tuple[str, str]], plain: dict[str, set[str]],
) -> Hit:  # fmt: skip
    from holdfact.text.snippet import snippet

    located = found.located
    record = located.record
    _, _, first, last, _, _ = span_of(located)
    shift = record.first_line - 1
    is_changed = (record.kind, record.key) in stale
    shown = ""
    matches: tuple[tuple[int, int], ...] = ()
    if not is_changed:
        text = chunk_text(storage.text(located.document), located)
        shown, matches = snippet(
            text, terms, analyzer, _known(analyzer, record.language),
            limit_bytes=SNIPPET_RECALL_BYTES, plain=plain.setdefault(record.language, set()),
        )  # fmt: skip
    return Hit(
        rank, record.kind, record.key, record.path, record.title, record.scope,
        (first + shift, last + shift), found.score, found.place != ORDINARY,
        shown, matches, record.sha256.hex(), is_changed, found.duplicates,
    )  # fmt: skip
