"""What a query names exactly: an id, a path, a quoted phrase, a code. These keep their places."""

from __future__ import annotations

from holdfact.core.limits import EXACT_CANDIDATES, EXACT_CODE_CHUNKS, EXACT_MATCHES
from holdfact.core.record import NamedTuple
from holdfact.engine.storage.base import SPAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfact.engine.storage.base import Located, Stamp, Storage
    from holdfact.text.tokenizer import Analyzer

__all__ = ["CODE", "NAMED", "ORDINARY", "PHRASE", "Lifted", "chunk_text", "find_exact", "span_of"]

# The order of the places.
NAMED, PHRASE, CODE, ORDINARY = range(4)
_QUOTES = str.maketrans("“”„«»", '"""""')
_AROUND = "()[]{}<>,;:!?'`\"."
_MIN_CODE_CHARS = 3
_MAX_WORDS = 32
_ENDINGS = (".md", ".mdx", ".markdown")
_SCOPES = ("", "project/", "global/")


class Lifted(NamedTuple):
    """A chunk that the query names, and the class of its place."""

    chunk: int
    place: int


def find_exact(
    storage: Storage, analyzer: Analyzer, query: str, languages: Sequence[str],
    only: Callable[[Stamp], bool] | None,
) -> list[Lifted]:  # fmt: skip
    """The chunks that the query names; call it inside a snapshot."""
    plain = query.translate(_QUOTES)
    phrases = [part.strip() for part in plain.split('"')[1::2] if part.strip()]
    words = [word.strip(_AROUND) for word in plain.split()][:_MAX_WORDS]
    lifted = _named(storage, query.strip(), words, only)
    for phrase in phrases:
        lifted += _verbatim(storage, analyzer, phrase, languages, only, PHRASE)
    for word in dict.fromkeys(words):
        if is_code(word):
            lifted += _verbatim(storage, analyzer, word, languages, only, CODE)
    return lifted


def is_code(word: str) -> bool:
    """Whether a word is an identifier, an error code or a version rather than a word."""
    if len(word) < _MIN_CODE_CHARS:
        return False
    has_digit = any(map(str.isdigit, word))
    has_letter = any(map(str.isalpha, word))
    has_joint = any(joint in word for joint in "_.#+")
    return (has_digit and (has_letter or has_joint)) or (has_letter and has_joint)


def _named(
    storage: Storage, query: str, words: list[str], only: Callable[[Stamp], bool] | None
) -> list[Lifted]:
    wanted = dict.fromkeys([query, *(word for word in words if "/" in word or "." in word)])
    found: dict[int, None] = {}
    endings: list[str] = []
    for name in wanted:
        name = name.removeprefix("./")  # noqa: PLW2901 - the same file
        for scope in _SCOPES:
            _take(found, storage.document("fact", scope + name))
        _take(found, storage.document("document", name))
        if name.lower().endswith(_ENDINGS):
            endings.append("/" + name)
    stamps = storage.stamps() if endings or (found and only) else []
    for stamp in stamps:
        if endings and stamp.path.endswith(tuple(endings)):
            _take(found, stamp.document)
    if only:
        kept = {stamp.document for stamp in stamps if only(stamp)}
        found = {document: None for document in found if document in kept}
    return [Lifted(document, NAMED) for document in found]


def _take(found: dict[int, None], document: int | None) -> None:
    if document is not None:
        found[document] = None


def _verbatim(  # noqa: PLR0913, PLR0917 - one question to the store
    storage: Storage, analyzer: Analyzer, phrase: str, languages: Sequence[str],
    only: Callable[[Stamp], bool] | None, place: int,
) -> list[Lifted]:  # fmt: skip
    """The chunks that hold the phrase letter by letter, whatever the case and the white space.

    A code that stands in many chunks needs no guarantee: its document is not lost among others.
    """
    limit = EXACT_CODE_CHUNKS + 1 if place == CODE else EXACT_MATCHES
    scored: dict[int, float] = {}
    readings = [analyzer.query_terms(phrase, [language]) for language in languages or ("",)]
    for terms in dict.fromkeys(map(tuple, readings)):
        chunks = storage.matching(terms, limit, only=only)
        scored.update(storage.scores(terms, chunks))
    if place == CODE and len(scored) > EXACT_CODE_CHUNKS:
        return []
    wanted = " ".join(phrase.casefold().split())
    best = sorted(scored, key=lambda chunk: (-scored[chunk], chunk))[:EXACT_CANDIDATES]
    lifted: dict[int, Lifted] = {}
    for located in storage.locate(best):
        if located.document not in lifted:
            text = chunk_text(storage.text(located.document), located)
            if wanted in " ".join(text.casefold().split()):
                chunk = located.document + located.ordinal
                lifted[located.document] = Lifted(chunk, place)
    return list(lifted.values())


def chunk_text(text: str, located: Located) -> str:
    """The chunk's part of its document's text."""
    start, end = span_of(located)[:2]
    return text[start:end]


def span_of(located: Located) -> memoryview:
    """The chunk's numbers in its record's spans."""
    at = located.ordinal * SPAN
    return memoryview(located.record.spans).cast("I")[at : at + SPAN]
