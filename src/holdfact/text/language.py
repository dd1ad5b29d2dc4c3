"""Which language a text is in, told by its function words; cheap enough for every document.

A word votes for each language that has it, with a weight that falls with the number of those
languages: `the` speaks for English alone, `de` for seven at once. Unsure is an answer: "".
"""

from __future__ import annotations

from collections import Counter

from holdfact.text.function_words import FUNCTION_WORDS, OTHERS

__all__ = ["detect_language"]

_SAMPLE_CHARS = 1_024
# Fewer different function words say too little; English alone is taken on trust (see _fallback).
# A wrong guess costs more than none: words of a language that few documents are in look rare, so
# they would weigh most.
_MIN_DISTINCT = 3
# The winner must be this far ahead of the next: neighbours share most of their words.
_MIN_LEAD = 1.2
# Share of a text's words: prose has 30 % and more, prose full of code less.
_MIN_SHARE = 0.12
# What counts as English without evidence may have this share of other words.
_MAX_FOREIGN_SHARE = 0.1

# Only letters stay, in lower case; every byte past ASCII is part of a letter or does no harm.
_LETTERS = bytes(
    ord(char.lower()) if char.isalpha() else 32 for char in map(chr, range(128))
) + bytes(range(128, 256))

_votes: dict[bytes, tuple[str, ...]] = {}


def detect_language(text: str) -> str:
    """Snowball's name of the language of `text` (`english`, `german`, …), or "" when unsure.

    Only the beginning and the middle are looked at. Texts of ASCII letters without clear evidence
    count as English: notes about software mostly are.
    """
    words = _sample(text).encode("utf-8", "replace").translate(_LETTERS).split()
    hits, votes, distinct = _count(words)
    ranked = sorted(votes, key=lambda name: (-votes[name], name))
    if not ranked:
        return _fallback(words)
    best = ranked[0]
    lead = votes[best] / votes[ranked[1]] if len(ranked) > 1 else _MIN_LEAD
    is_clear = lead >= _MIN_LEAD and distinct[best] >= _MIN_DISTINCT
    if is_clear and hits[best] >= _MIN_SHARE * len(words):
        return best if best in FUNCTION_WORDS else ""
    return _fallback(words)


def _sample(text: str) -> str:
    if len(text) > 2 * _SAMPLE_CHARS:
        middle = len(text) // 2
        text = text[:_SAMPLE_CHARS] + " " + text[middle : middle + _SAMPLE_CHARS]
    return text if text.isascii() else text.casefold()


def _count(words: list[bytes]) -> tuple[dict[str, int], dict[str, float], dict[str, int]]:
    """By language: hits, votes and different words."""
    table = _vote_table()
    hits: dict[str, int] = {}
    votes: dict[str, float] = {}
    distinct: dict[str, int] = {}
    for word, count in Counter(filter(table.__contains__, words)).items():
        names = table[word]
        for name in names:
            hits[name] = hits.get(name, 0) + count
            votes[name] = votes.get(name, 0.0) + count / len(names)
            distinct[name] = distinct.get(name, 0) + 1
    return hits, votes, distinct


def _fallback(words: list[bytes]) -> str:
    """English for words of ASCII letters, nothing for all others."""
    foreign = sum(not word.isascii() for word in words)
    return "english" if words and foreign <= _MAX_FOREIGN_SHARE * len(words) else ""


def _vote_table() -> dict[bytes, tuple[str, ...]]:
    if not _votes:
        for languages in (FUNCTION_WORDS, OTHERS):
            for name, listed in languages.items():
                for word in dict.fromkeys(listed.split()):
                    key = word.encode()
                    _votes[key] = (*_votes.get(key, ()), name)
    return _votes
