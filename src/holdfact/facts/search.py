"""Search in facts: a literal text or an RE2 pattern, over name, description and body.

It tells where a fact is, never the fact itself: a snippet is bounded. RE2 matches in linear time;
Python's own `re` does not, so it never runs a pattern from outside.
"""

from __future__ import annotations

import os

from holdfact.core.errors import ExtraMissing, PatternInvalid, UsageError
from holdfact.core.limits import (
    DEFAULT_SEARCH_LIMIT,
    MAX_QUERY_CHARS,
    MAX_SEARCH_LIMIT,
    SNIPPET_BYTES,
    SNIPPET_WINDOW_BYTES,
)
from holdfact.core.record import NamedTuple
from holdfact.core.words import not_text
from holdfact.facts.printable import clean
from holdfact.facts.whitespace import collapse, is_blank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from holdfact.facts.fact import Memory

    # Answers the first match in a text, in bytes of its UTF-8 form, or None.
    Find = Callable[[str], tuple[int, int] | None]

__all__ = [
    "SearchHit",
    "SearchOptions",
    "SearchResult",
    "fact_hits",
    "finder",
    "hit_in",
    "page",
    "search",
]

_FIELDS = ("name", "description", "body")
_RANKS = {field: rank for rank, field in enumerate((*_FIELDS, "path", "text"))}
_CUT = "…"
_CONTINUATION, _CONTINUATION_MASK = 0x80, 0xC0


class SearchOptions(NamedTuple):
    """What to search.

    Attributes:
        query: the text or pattern; a literal query is not trimmed.
        regex: whether `query` is an RE2 pattern.
        limit: hits on the page; 0 or less means 10, more than 25 means 25.
        offset: hits to pass over; less than 0 means 0.
    """

    query: str
    regex: bool = False
    limit: int = 0
    offset: int = 0


class SearchHit(NamedTuple):
    """One fact, the first of its fields that matches, and at most 240 bytes around the match.

    The fields of a document are `path` and `text`; its id is its path.
    """

    id: str
    field: str
    snippet: str


class SearchResult(NamedTuple):
    """A page of hits, the total, and the limit and offset that were used."""

    hits: list[SearchHit]
    total: int
    offset: int
    limit: int


def search(memories: Iterable[Memory], options: SearchOptions) -> SearchResult:
    """The page of facts that match, by field (name, description, body), then by id.

    Raises:
        UsageError: the query is blank or too long.
        PatternInvalid: RE2 can't compile the pattern.
        ExtraMissing: a pattern was given and RE2 is not installed.
    """
    return page(fact_hits(memories, finder(options)), options)


def fact_hits(memories: Iterable[Memory], find: Find) -> Iterator[SearchHit]:
    """A hit for each fact that matches."""
    for memory in memories:
        fields = ((field, clean(getattr(memory, field))) for field in _FIELDS)
        hit = hit_in(memory.id, fields, find)
        if hit is not None:
            yield hit


def finder(options: SearchOptions) -> Find:
    """What finds the first match of the query in a text.

    Raises:
        UsageError, PatternInvalid, ExtraMissing: as for `search`.
    """
    _check_query(options.query)
    return _pattern(options.query) if options.regex else _literal(options.query)


def hit_in(identity: str, fields: Iterable[tuple[str, str]], find: Find) -> SearchHit | None:
    """The hit in the first of the fields (name, text) that has a match, or None."""
    for field, text in fields:
        span = find(text)
        if span is not None:
            return SearchHit(identity, field, _snippet(text, *span))
    return None


def page(hits: Iterable[SearchHit], options: SearchOptions) -> SearchResult:
    """The page of `hits` that the options ask for, by field, then by id."""
    found = sorted(hits, key=lambda hit: (_RANKS[hit.field], os.fsencode(hit.id)))
    limit = min(options.limit, MAX_SEARCH_LIMIT) if options.limit > 0 else DEFAULT_SEARCH_LIMIT
    offset = min(max(options.offset, 0), len(found))
    return SearchResult(found[offset : offset + limit], len(found), offset, limit)


def _check_query(query: str) -> None:
    if not isinstance(query, str):
        raise UsageError(not_text("the query", query), hint="give the text to look for")
    if is_blank(query):
        raise UsageError('the query is blank: give a text to look for, as in "docker"')
    if len(query) > MAX_QUERY_CHARS:
        raise UsageError(f"the query has {len(query)} characters, the limit is {MAX_QUERY_CHARS}")


def _literal(query: str) -> Find:
    wanted = _folded(query)

    def find(text: str) -> tuple[int, int] | None:
        start = _folded(text).find(wanted)
        if start < 0:
            return None
        # Folding keeps each character in its place, so the offsets hold for the text itself.
        first = len(text[:start].encode())
        return first, first + len(text[start : start + len(wanted)].encode())

    return find


def _folded(text: str) -> str:
    """`text` in lower case, one character for one (simple case mapping).

    `str.lower` maps whole strings: a dotted capital I becomes two characters, and a capital sigma
    depends on its neighbours. Those two are mapped by hand; no other character is special.
    """
    return text.replace("\u0130", "i").replace("\u03a3", "\u03c3").lower()


def _pattern(query: str) -> Find:
    try:
        import re2
    except ImportError as err:
        raise ExtraMissing(
            "search with a pattern needs RE2, which is not installed",
            hint="pip install 'holdfact[regex]' (or pip install google-re2 beside holdfact), or"
            " search for a literal text",
        ) from err
    if _has_any_byte(query):
        raise PatternInvalid(rf"{query!r}: \C is not supported; it could split a character")
    quiet = re2.Options()
    quiet.log_errors = False
    try:
        compiled = re2.compile(query.encode(), quiet)
    except (re2.error, UnicodeEncodeError) as err:
        raise PatternInvalid(f"{query!r} is not an RE2 pattern: {_reason(err)}") from err

    def find(text: str) -> tuple[int, int] | None:
        match = compiled.search(text.encode())
        if match is None:
            return None
        first, last = match.span()
        return int(first), int(last)

    return find


def _reason(err: Exception) -> str:
    reason = err.args[0]
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(err)


def _has_any_byte(pattern: str) -> bool:
    r"""Whether the pattern uses `\C`, which matches one byte; text inside `\Q…\E` is literal."""
    position = pattern.find("\\")
    while position >= 0:
        letter = pattern[position + 1 : position + 2]
        if letter == "C":
            return True
        after = position + 2
        if letter == "Q":
            end = pattern.find("\\E", after)
            after = len(pattern) if end < 0 else end
        position = pattern.find("\\", after)
    return False


def _snippet(text: str, first: int, last: int) -> str:
    """At most 240 bytes of `text` around the bytes `first` to `last`, in one line."""
    data = text.encode()
    if len(data) <= SNIPPET_BYTES:
        return collapse(text)
    start = first - max(SNIPPET_WINDOW_BYTES - (last - first), 0) // 2
    start = max(min(start, len(data) - SNIPPET_WINDOW_BYTES), 0)
    end = min(start + SNIPPET_WINDOW_BYTES, len(data))
    while start < end and data[start] & _CONTINUATION_MASK == _CONTINUATION:
        start += 1
    while end > start and end < len(data) and data[end] & _CONTINUATION_MASK == _CONTINUATION:
        end -= 1
    shown = collapse(data[start:end].decode())
    return (_CUT if start else "") + shown + (_CUT if end < len(data) else "")
