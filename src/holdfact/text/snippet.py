"""The part of a chunk that shows best why it was found, and where the query's words are in it."""

from __future__ import annotations

from holdfact.core.record import NamedTuple
from holdfact.text.graphemes import is_boundary, last_boundary
from holdfact.text.identifiers import camel_parts
from holdfact.text.scripts import split_runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from holdfact.text.tokenizer import Analyzer

__all__ = ["Snippet", "snippet"]

_ELLIPSIS = "\u2026"
# What parts the raw words of the analyser in ASCII parts them here.
_PARTS_WORDS = {code: " " for code in range(128) if not chr(code).isalnum()} | {
    ord(kept): kept for kept in "_.+#/\\"
}
_HEADERS = ("---", "+++")
_EDGES = "._/\\"
# What an identifier is cut at to show which part of it matches, the coarsest first.
_JOINTS = ("/", "._+#")
# Languages whose stemmer never changes the first letter of a word: most words of a text begin with
# a letter that no term has, and need no analysis to be passed over.
_KEEP_FIRST_LETTER = ("", "english")
# Part of the window that stands before its first match.
_LEAD = 5


class Snippet(NamedTuple):
    """A text on one line, and the ranges (start, end) of its code points that match the query."""

    text: str
    matches: tuple[tuple[int, int], ...]


class _Match(NamedTuple):
    start: int
    end: int
    terms: frozenset[str]


class _Words(NamedTuple):
    """What is looked for, how words are analysed, and the words that are known not to match."""

    terms: frozenset[str]
    analyzer: Analyzer
    language: str
    plain: set[str]

    def initials(self) -> frozenset[str] | None:
        """The letters that a plain word must begin with to match; None where that tells nothing."""
        if self.language not in _KEEP_FIRST_LETTER:
            return None
        return frozenset([term[0] for term in self.terms])

    def of(self, word: str) -> list[str]:
        """The terms of a word."""
        return self.analyzer.terms(word, self.language)


def snippet(  # noqa: PLR0913 - a text, how it was analysed, and what to show of it
    text: str,
    terms: Collection[str],
    analyzer: Analyzer,
    language: str,
    *,
    limit_bytes: int,
    plain: set[str] | None = None,
) -> Snippet:
    """The window of `text` with the most different ones of `terms`.

    White space is collapsed; an ellipsis stands where text was left out.

    Args:
        text: a chunk's text.
        terms: what `Analyzer.query_terms` gave.
        analyzer: the analyser of the index.
        language: the language that the chunk was analysed in.
        limit_bytes: the most bytes of UTF-8 of the result, at least 16.
        plain: words that are known to have no match; grows. The snippets of one question share it
            for each language, as the same words stand in all of them.
    """
    words = _Words(frozenset(terms), analyzer, language, set() if plain is None else plain)
    line, matches = _searched(text, words)
    if text.startswith(_HEADERS):
        from holdfact.text.frontmatter import split

        body = _searched(text[split(text)[1] :], words)
        # The header says less, unless it alone has the words.
        if body[0] and _best(body[1], limit_bytes)[0] >= _best(matches, limit_bytes)[0]:
            line, matches = body
    if len(line.encode("utf-8", "surrogatepass")) <= limit_bytes:
        return Snippet(line, tuple((match.start, match.end) for match in matches))
    start, end = _window(line, _best(matches, limit_bytes)[1], limit_bytes)
    head, tail = _ELLIPSIS if start else "", _ELLIPSIS if end < len(line) else ""
    shift = len(head) - start
    inside = tuple(
        (match.start + shift, match.end + shift)
        for match in matches
        if start <= match.start and match.end <= end
    )
    return Snippet(head + line[start:end] + tail, inside)


def _searched(text: str, words: _Words) -> tuple[str, list[_Match]]:
    """The text on one line, and where it matches."""
    line = " ".join(text.split())
    return line, list(_matches(line, words))


def _best(matches: list[_Match], width: int) -> tuple[int, int]:
    """The most different terms in a window of `width`, and the start of its first match."""
    best, most = 0, 0
    for index, first in enumerate(matches):
        seen: set[str] = set()
        for match in matches[index:]:
            if match.end > first.start + width - width // _LEAD:
                break
            seen |= match.terms
        if len(seen) > most:
            best, most = first.start, len(seen)
    return most, best


def _window(line: str, match: int, limit_bytes: int) -> tuple[int, int]:
    room = limit_bytes - 2 * len(_ELLIPSIS.encode())
    start = max(0, match - room // _LEAD)
    if start:
        start = line.find(" ", start, match) + 1 or match
    while not is_boundary(line, start):
        start += 1
    data = line[start : start + room].encode("utf-8", "surrogatepass")[:room]
    end = start + len(data.decode("utf-8", "ignore"))
    if end < len(line):
        space = line.rfind(" ", start + (end - start) // 2, end)
        end = space if space > 0 else last_boundary(line, start, end)
    return start, end


def _matches(line: str, words: _Words) -> Iterator[_Match]:
    terms, plain, initials = words.terms, words.plain, words.initials()
    at = 0
    for word in line.translate(_PARTS_WORDS).split(" "):
        if word not in plain:
            if (initials and _is_plain(word) and word[0].lower() not in initials) or (
                terms.isdisjoint(words.of(word))
            ):
                plain.add(word)
            elif word.isascii():
                yield from _parts(word, at, words)
            else:
                yield from _runs(word, at, words)
        at += len(word) + 1


def _is_plain(word: str) -> bool:
    """Whether a word is ASCII letters, lower case but for the first: it has no parts."""
    return word.isalpha() and word.isascii() and word[1:].islower()


def _parts(word: str, at: int, words: _Words) -> Iterator[_Match]:
    """The matches within one word: the word, or those of its parts that match."""
    bare = word.strip(_EDGES)
    listed = words.of(bare)
    found = words.terms.intersection(listed)
    if not found:
        return
    at += len(word) - len(word.lstrip(_EDGES))
    if listed[0] not in found:
        inside = [match for part, start in _cut(bare) for match in _parts(part, at + start, words)]
        # `1.2` is in `v1.2` and in none of its parts.
        if found.issubset(frozenset().union(*[match.terms for match in inside])):
            yield from inside
            return
    yield _Match(at, at + len(bare), found)


def _cut(word: str) -> list[tuple[str, int]]:
    """The parts of an identifier or a path, and where they start; nothing for a plain word."""
    for joints in _JOINTS:
        if any(joint in word for joint in joints):
            return _split(word, joints)
    humps = camel_parts(word)
    starts = [0]
    for hump in humps:
        starts.append(starts[-1] + len(hump))
    return list(zip(humps, starts, strict=False)) if len(humps) > 1 else []


def _split(word: str, joints: str) -> list[tuple[str, int]]:
    """What stands between the joints, and where."""
    found: list[tuple[str, int]] = []
    at = 0
    for part in word.translate(dict.fromkeys(map(ord, joints), " ")).split(" "):
        if part:
            found.append((part, at))
        at += len(part) + 1
    return found


def _runs(word: str, at: int, words: _Words) -> Iterator[_Match]:
    """The matches within a word that is not all ASCII, by its runs and their n-grams."""
    for kind, run in split_runs(word):
        if kind == "word":
            yield from _parts(run, at, words)
        elif run in words.terms:
            yield _Match(at, at + len(run), words.terms.intersection(words.of(run)))
        else:
            yield from _pairs(run, at, words.terms)
        at += len(run)


def _pairs(run: str, at: int, terms: frozenset[str]) -> Iterator[_Match]:
    """Runs of characters that are in matching pairs; single characters only without any pair."""
    pairs = [index for index in range(len(run)) if run[index : index + 2] in terms]
    hit = {index + step for index in pairs for step in range(len(run[index : index + 2]))}
    hit = hit or {index for index in range(len(run)) if run[index] in terms}
    start = None
    for index in range(len(run) + 1):
        if index in hit:
            start = index if start is None else start
        elif start is not None:
            found = frozenset(term for term in terms if term in run[start:index])
            yield _Match(at + start, at + index, found)
            start = None
