"""The one analyser, for the index and for queries: text to terms.

A text is cut twice. First `bytes.translate` turns every ASCII byte that parts words into a space
and `split` cuts there: in C, for the whole text at once. What comes out, a raw word, is analysed
once and remembered: stripped, normalised (NFKC), cut into identifiers and their parts, n-grams for
scripts without spaces, case folded, stemmed. Counting then is a chain of C calls over the memory.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, zip_longest

from holdfact.core.limits import (
    MAX_MEMO_WORD_BYTES,
    MAX_MEMO_WORDS,
    MAX_QUERY_CHARS,
    MAX_QUERY_TERMS,
    MAX_TERM_CHARS,
)
from holdfact.text.identifiers import parts
from holdfact.text.language import detect_language
from holdfact.text.query_words import content_words, without_contractions
from holdfact.text.scripts import ngrams, normalise, split_runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["Analyzer", "detect_language"]

_CONNECTORS = "_.+#/"
# What parts words becomes a space; a backslash parts a path like a slash does.
_RAW_WORDS = bytes(
    ord(char if char.isalnum() or char in _CONNECTORS else "/" if char == "\\" else " ")
    for char in map(chr, range(128))
) + bytes(range(128, 256))


class _Lexicon(dict[bytes, tuple[str, ...]]):
    """Raw words and their terms in one language; a word is analysed when first looked up."""

    __slots__ = ("_stem",)

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stem = _stemmer(language)

    def __missing__(self, raw: bytes) -> tuple[str, ...]:
        terms = self._analyse(raw)
        if len(raw) <= MAX_MEMO_WORD_BYTES:
            if len(self) >= MAX_MEMO_WORDS:
                self.clear()
            self[raw] = terms
        return terms

    def _analyse(self, raw: bytes) -> tuple[str, ...]:
        if raw.isalpha():
            if raw.islower():
                return (self._leaf(raw.decode()),)
            if raw[1:].islower() or raw.isupper():
                return self[raw.lower()]
        elif not raw.isascii():
            return self._foreign(raw.decode("utf-8", "surrogatepass"))
        elif b"+" not in raw and b"#" not in raw:
            bare = raw.strip(b"._") if b"/" in raw else raw.strip(b"._/")
            if bare != raw:
                return self[bare] if bare else ()
        return self._terms(parts(raw.decode()))

    def _foreign(self, text: str) -> tuple[str, ...]:
        terms: list[str] = []
        for kind, run in chain.from_iterable(map(split_runs, normalise(text))):
            if kind != "word":
                terms.extend(ngrams(kind, run))
            elif run.isascii():
                terms.extend(self[run.encode()])
            else:
                terms.extend(self._terms(parts(run)))
        return tuple(terms)

    def _terms(self, words: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(self._leaf, words)))

    def _leaf(self, word: str) -> str:
        """The term of a folded word: its stem, unless it has a digit or a connector."""
        if word.isalpha() or not (word.isascii() or any(map(_is_sign, word))):
            word = self._stem(word)
        return word[:MAX_TERM_CHARS]


class Analyzer:
    """Text to terms, by language. Keeps what it learns; one per process is enough.

    `language` is what `detect_language` gives: a Snowball name, or "" for no stemming.
    """

    VERSION = "1"

    def __init__(self) -> None:
        self._lexicons: dict[str, _Lexicon] = {}

    @classmethod
    def identity(cls) -> str:
        """What terms depend on beside the text: our version and Snowball's."""
        import Stemmer

        return f"{cls.VERSION}+snowball-{Stemmer.version()}"

    def knows(self, language: str) -> bool:
        """Whether text of this language can be analysed; the empty one is the unknown one."""
        import Stemmer

        return not language or language in self._lexicons or language in Stemmer.algorithms()

    def counts(self, text: str, language: str) -> dict[str, int]:
        """The distinct terms of `text` with their frequencies."""
        return Counter(chain.from_iterable(map(self._lookup(language), _raw_words(text))))

    def counts_of_parts(
        self, data: bytes, parts: Iterable[tuple[int, int]], language: str
    ) -> Iterator[dict[str, int]]:
        """`counts` of each part (start, end) of a text in UTF-8: for all chunks of a document."""
        lookup = self._lookup(language)
        plain = data.translate(_RAW_WORDS)
        for start, end in parts:
            yield Counter(chain.from_iterable(map(lookup, plain[start:end].split())))

    def terms(self, text: str, language: str) -> list[str]:
        """The terms of `text` in order, repeats included; a word's parts follow the whole."""
        return list(chain.from_iterable(map(self._lookup(language), _raw_words(text))))

    def query_terms(self, query: str, languages: Sequence[str]) -> list[str]:
        """The distinct terms of `query`, stemmed in each of the corpus's `languages`, in order.

        Question and function words are dropped, in the language that most of them are of, unless
        nothing else remains. At most MAX_QUERY_CHARS are read and MAX_QUERY_TERMS returned.
        """
        return list(chain.from_iterable(self.query_variants(query, languages)))

    def query_variants(self, query: str, languages: Sequence[str]) -> list[tuple[str, ...]]:
        """The terms of `query_terms`, those of one word in several languages together.

        Such terms are one idea: their document frequencies are best added up before the idf, or
        the stem of a language that few documents are in outweighs all others.
        """
        names = list(dict.fromkeys(languages)) or [""]
        # A dash has no terms: it is nothing that remains beside function words.
        has_terms = self._lookup(names[0])
        words = list(filter(has_terms, _raw_words(without_contractions(query[:MAX_QUERY_CHARS]))))
        seen: set[str] = set()
        variants: list[tuple[str, ...]] = []
        for word in content_words(words, names):
            by_language = [self._lexicon(name)[word] for name in names]
            # Parts that have one stem in one language only make the lists differ in length.
            for group in zip_longest(*by_language):
                new = tuple(dict.fromkeys(t for t in group if t is not None and t not in seen))
                new = new[: max(0, MAX_QUERY_TERMS - len(seen))]
                seen.update(new)
                if new:
                    variants.append(new)
        return variants

    def _lexicon(self, language: str) -> _Lexicon:
        lexicon = self._lexicons.get(language)
        if lexicon is None:
            lexicon = self._lexicons[language] = _Lexicon(language)
        return lexicon

    def _lookup(self, language: str) -> Callable[[bytes], tuple[str, ...]]:
        return self._lexicon(language).__getitem__


def _is_sign(char: str) -> bool:
    return char.isdigit() or char in _CONNECTORS


def _raw_words(text: str) -> list[bytes]:
    return text.encode("utf-8", "surrogatepass").translate(_RAW_WORDS).split()


def _stemmer(language: str) -> Callable[[str], str]:
    if not language:
        return str
    import Stemmer

    # The lexicon remembers; the stemmer's own cache would only cost time.
    stem: Callable[[str], str] = Stemmer.Stemmer(language, 0).stemWord
    return stem
