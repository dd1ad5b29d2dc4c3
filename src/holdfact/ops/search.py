"""Search facts and documents for a literal text or a pattern, as the files are now.

Nothing is built and nothing is asked of the index: each document is read. That is slower than
recall, and exact: a text that is there is found, whatever a word is.
"""

from __future__ import annotations

from holdfact.core.errors import ConfinementError, SourceUnreadable
from holdfact.core.record import NamedTuple
from holdfact.core.sources import find_sources, read_source
from holdfact.core.types import Skip
from holdfact.facts.search import fact_hits, finder, hit_in, page
from holdfact.ops.instance import own_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.core.config import Config
    from holdfact.facts.search import SearchHit, SearchOptions
    from holdfact.facts.store import Store

__all__ = ["DocumentSearch", "search_everything"]


class DocumentSearch(NamedTuple):
    """A page of facts and documents.

    Attributes:
        hits: of a fact as ever; a document has its path as id, and the field `path` or `text`.
        total: all hits.
        offset: hits passed over.
        limit: the most hits of a page.
        skipped: documents that were not searched, and why.
        ignore_known: whether git could tell which files it ignores.
    """

    hits: list[SearchHit]
    total: int
    offset: int
    limit: int
    skipped: tuple[Skip, ...]
    ignore_known: bool


def search_everything(store: Store, config: Config, options: SearchOptions) -> DocumentSearch:
    """The page of facts and documents that match: facts first, then paths, then texts.

    Args:
        store: the facts.
        config: the settings; they must have a root.
        options: what to search.

    Raises:
        UsageError: the query is blank, too long, or no pattern.
        ExtraMissing: patterns need the extra `regex`.
        FileError: the root can't be listed.
    """
    find = finder(options)
    limit_bytes = config.integer("engine.max_file_bytes")
    sources = find_sources(
        config.root or "",
        config.globs("engine.sources"),
        (*config.globs("engine.exclude"), *own_folders(config)),
        max_file_bytes=limit_bytes,
    )
    skipped = list(sources.skipped)
    hits = [*fact_hits(store.list(), find)]
    for file in sources.files:
        try:
            text = read_source(config.root or "", file, limit_bytes)
        except (SourceUnreadable, ConfinementError) as err:
            skipped.append(Skip(file.path, _reason(file.path, err)))
            continue
        hit = hit_in(file.path, (("path", file.path), ("text", text)), find)
        if hit is not None:
            hits.append(hit)
    return DocumentSearch(*page(hits, options), tuple(sorted(skipped)), sources.ignore_known)


def _reason(path: str, err: SourceUnreadable | ConfinementError) -> str:
    return err.reason if isinstance(err, SourceUnreadable) else err.message.removeprefix(f"{path} ")
