"""Recall: facts and documents in one answer, from an index that was brought up to date first."""

from __future__ import annotations

from holdfact.core.config import DEFAULT
from holdfact.core.errors import FactError, ModeUnavailable, StoreCorrupt, UsageError
from holdfact.core.limits import MAX_RECALL_K
from holdfact.core.record import NamedTuple
from holdfact.core.words import not_text
from holdfact.engine.retrieve import Filter
from holdfact.facts.printable import clean
from holdfact.ops.instance import (
    fact_source,
    file_errors_are_the_engines,
    open_engine,
    sync,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.core.config import Config
    from holdfact.core.types import Skip
    from holdfact.engine.plan import Progress, SyncReport
    from holdfact.engine.retrieve import Hit, Retrieved
    from holdfact.facts.store import Store

__all__ = [
    "MODES",
    "NO_IDENTITY",
    "SCOPES",
    "Degraded",
    "Identity",
    "Question",
    "Recalled",
    "RecalledHit",
    "Side",
    "recall",
]

HYBRID, LEXICAL, VECTOR = "hybrid", "lexical", "vector"
MODES = (HYBRID, LEXICAL, VECTOR)
SCOPES = {
    "project": Filter(kinds=("fact",), scope="project"),
    "global": Filter(kinds=("fact",), scope="global"),
    "facts": Filter(kinds=("fact",)),
    "documents": Filter(kinds=("document",)),
}


class Question(NamedTuple):
    """What is asked.

    Attributes:
        query: 1 to 4,096 characters.
        k: the most hits, 1 to 1,000; None for the configured number.
        mode: `hybrid`, `lexical`, `vector`; None for the configured one.
        scope: `project`, `global`, `facts` or `documents`; None for all.
        path: a glob of documents' paths relative to the root; None for all.
        allow_degraded: answer with what works when the mode can't be served.
    """

    query: str
    k: int | None = None
    mode: str | None = None
    scope: str | None = None
    path: str | None = None
    allow_degraded: bool = False


class Degraded(NamedTuple):
    """Why less was used than was asked for, and the command that mends it."""

    reason: str
    fix: str


class Identity(NamedTuple):
    """The state of the vectors' identity; `none` while there are no vectors."""

    state: str
    code: str | None
    changed: tuple[str, ...]
    stored: str | None
    wanted: str | None


class Side(NamedTuple):
    """What one way of searching says of a hit: its rank there, from 1, and its score."""

    rank: int
    score: float


class RecalledHit(NamedTuple):
    """One fact or document.

    Attributes:
        rank: from 1.
        kind: `fact` or `document`.
        id: `project/NAME`, `global/NAME`, or the document's path.
        path: absolute for a fact, relative to the root for a document.
        lines: first and last line in the file.
        title: of a document; of a fact its description.
        score: what orders the hits, exact ones and others.
        lexical: what full text says of it.
        vector: what vectors say of it.
        snippet: the part that matches; empty when the source changed since it was indexed.
        matches: ranges (start, end) of the snippet's code points that match.
        exact: whether the query names it (its id, its path, a phrase in quotes, a code): such a hit
            stands before others, whatever its score.
        duplicates: other documents whose part that matches is the same text; they are left out.
        source_hash: of what was indexed of the source, 64 hex digits: equal as long as its content
            is. It is not the SHA-256 of the file, which `read` gives of a fact.
        changed_since_indexed: whether the source is different now.
    """

    rank: int
    kind: str
    id: str
    path: str
    lines: tuple[int, int]
    title: str
    score: float
    lexical: Side | None
    vector: Side | None
    snippet: str
    matches: tuple[tuple[int, int], ...]
    exact: bool
    duplicates: int
    source_hash: str
    changed_since_indexed: bool


class Recalled(NamedTuple):
    """The answer.

    Attributes:
        query: as asked.
        asked: the mode that was asked for.
        used: the mode that answered.
        degraded: why they differ, when that was not expected.
        generation: of the index that answered.
        identity: of the vectors.
        stale: sources that the index does not show as they are now.
        skipped: sources that are not indexed, each with its reason.
        total: hits before k.
        hits: the best k.
        synced: what bringing the index up to date did.
        is_first: whether there was no index when it was asked; `synced.is_built` says whether this
            call built it or another process did meanwhile.
        ignore_known: false when git did not say what it ignores: then nothing counts as ignored.
    """

    query: str
    asked: str
    used: str
    degraded: Degraded | None
    generation: int
    identity: Identity
    stale: list[str]
    skipped: list[Skip]
    total: int
    hits: list[RecalledHit]
    synced: SyncReport
    is_first: bool
    ignore_known: bool


NO_IDENTITY = Identity("none", None, (), None, None)
_NO_PROVIDER = Degraded("no_embedding_provider", "holdfact recall --mode lexical")


def recall(
    config: Config,
    store: Store,
    question: Question,
    *,
    state: str | None = None,
    progress: Progress | None = None,
) -> Recalled:
    """Search facts and documents as they are on disk now.

    Args:
        config: the settings of the project.
        store: its facts.
        question: what is asked.
        state: the state folder, when it is not the usual one.
        progress: told (done, total, unit) while the index is brought up to date.

    Raises:
        UsageError: the question is out of range.
        EngineError: it was not possible to search.
    """
    if not isinstance(question.query, str):
        raise UsageError(not_text("the query", question.query), hint="give the words to look for")
    asked, degraded = _mode(config, question)
    narrow = _narrow(question)
    k = _k(config, question)
    with open_engine(config, state) as engine:
        is_first = not engine.is_built
        synced = sync(engine, store, progress)
        with file_errors_are_the_engines():
            try:
                found = engine.search(question.query, k, narrow)
            except StoreCorrupt as err:  # in a part that bringing it up to date did not read
                synced = engine.rebuild(err, fact_source(store), progress)
                found = engine.search(question.query, k, narrow)
    return Recalled(
        question.query,
        asked,
        LEXICAL,
        degraded,
        found.generation,
        NO_IDENTITY,
        _stale(synced, found),
        synced.skipped,
        found.total,
        [_hit(hit, store) for hit in found.hits],
        synced,
        is_first,
        synced.ignore_known,
    )


def _mode(config: Config, question: Question) -> tuple[str, Degraded | None]:
    """The mode asked for, and what is missing when it was asked for explicitly."""
    mode = question.mode or config.text("recall.mode")
    if mode not in MODES:
        raise UsageError(f"{mode!r} is not a mode: use {', '.join(MODES)}")
    is_explicit = question.mode is not None or config.origin("recall.mode") != DEFAULT
    if mode == LEXICAL or not is_explicit:
        return mode, None
    if mode == VECTOR and not question.allow_degraded:
        raise ModeUnavailable(
            "there are no vectors to search: this version has no embedding provider",
            hint="holdfact recall --mode lexical, or --allow-degraded",
        )
    return mode, _NO_PROVIDER


def _k(config: Config, question: Question) -> int:
    k = config.integer("recall.k") if question.k is None else question.k
    # Python's True is a 1.
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MAX_RECALL_K:
        raise UsageError(
            f"k is {k!r}, but must be a number from 1 to {MAX_RECALL_K}",
            hint="holdfact recall --help",
        )
    return k


def _narrow(question: Question) -> Filter | None:
    narrow = Filter()
    if question.scope is not None:
        if question.scope not in SCOPES:
            raise UsageError(f"{question.scope!r} is not a scope: use {', '.join(SCOPES)}")
        narrow = SCOPES[question.scope]
    if question.path is not None:
        from holdfact.core.globs import is_glob

        if not isinstance(question.path, str):
            raise UsageError(not_text("path", question.path), hint="such as 'docs/**/*.md'")
        if not is_glob(question.path):
            raise UsageError(
                f"{question.path!r} is not a glob of paths relative to the root",
                hint="such as 'docs/**/*.md'",
            )
        narrow = narrow._replace(path_glob=question.path)
    return None if narrow == Filter() else narrow


def _stale(synced: SyncReport, found: Retrieved) -> list[str]:
    return sorted({*synced.stale, *found.stale})


def _hit(hit: Hit, store: Store) -> RecalledHit:
    title = hit.title if hit.kind == "document" else _description(hit.id, store)
    return RecalledHit(
        hit.rank,
        hit.kind,
        hit.id,
        hit.path,
        hit.lines,
        title,
        hit.score,
        Side(hit.rank, hit.score),
        None,
        hit.snippet,
        tuple(hit.matches),
        hit.is_exact,
        hit.duplicates,
        hit.sha256,
        hit.changed_since_indexed,
    )


def _description(fact_id: str, store: Store) -> str:
    """A fact's one line, as it is now: the match may be there and not in the body."""
    try:
        return clean(store.read(fact_id).description)
    except FactError:
        return ""  # listed without a proper name, or gone in this moment
