"""Which language a text is in, told by its function words; cheap enough for every document.

A word votes for each language that has it, with a weight that falls with the number of those
languages: `the` speaks for English alone, `de` for seven at once. Unsure is an answer: "".
"""

from __future__ import annotations

from holdfact.text.function_words import FUNCTION_WORDS, OTHERS

__all__ = ["detect_language"]

_SAMPLE_CHARS = 1_024
# Below this sum of votes a text says too little; English alone is taken on trust (see _fallback).
_MIN_VOTES = 1.5
_MIN_HITS = 2
# The winner must be this far ahead of the next: neighbours share most of their words.
_MIN_LEAD = 1.2
# Share of a text's words: prose has 30 % and more, prose full of code 8 %.
_MIN_SHARE = 0.06

# Only letters stay, in lower case; every byte past ASCII is part of a letter or does no harm.
_LETTERS = bytes(
    ord(char.lower()) if char.isalpha() else 32 for char in map(chr, range(128))
) + bytes(range(128, 256))

_votes: dict[bytes, tuple[str, ...]] = {}


def detect_language(text: str) -> str:
    """Snowball's name of the language of `text` (`english`, `german`, …), or "" when unsure.

    Only the beginning and the middle are looked at. Texts with few words and no letter past ASCII
    count as English unless another language has the better evidence: notes about software are.
    """
    words = _sample(text).encode("utf-8", "replace").translate(_LETTERS).split()
    hits, votes = _count(words)
    ranked = sorted(votes, key=lambda name: (-votes[name], name))
    if not ranked:
        return _fallback(words)
    best = ranked[0]
    lead = votes[best] / votes[ranked[1]] if len(ranked) > 1 else _MIN_LEAD
    is_clear = lead >= _MIN_LEAD and votes[best] >= _MIN_VOTES and hits[best] >= _MIN_HITS
    if is_clear and hits[best] >= _MIN_SHARE * len(words):
        return best if best in FUNCTION_WORDS else ""
    return _fallback(words) if votes.get("english", 0) >= votes[best] else ""


def _sample(text: str) -> str:
    if len(text) > 2 * _SAMPLE_CHARS:
        middle = len(text) // 2
        text = text[:_SAMPLE_CHARS] + " " + text[middle : middle + _SAMPLE_CHARS]
    return text if text.isascii() else text.casefold()


def _count(words: list[bytes]) -> tuple[dict[str, int], dict[str, float]]:
    table = _vote_table()
    hits: dict[str, int] = {}
    votes: dict[str, float] = {}
    for names in filter(None, map(table.get, words)):
        for name in names:
            hits[name] = hits.get(name, 0) + 1
            votes[name] = votes.get(name, 0.0) + 1 / len(names)
    return hits, votes


def _fallback(words: list[bytes]) -> str:
    """English for words of ASCII letters, nothing for all others."""
    return "english" if words and b"".join(words).isascii() else ""


def _vote_table() -> dict[bytes, tuple[str, ...]]:
    if not _votes:
        for languages in (FUNCTION_WORDS, OTHERS):
            for name, listed in languages.items():
                for word in dict.fromkeys(listed.split()):
                    key = word.encode()
                    _votes[key] = (*_votes.get(key, ()), name)
    return _votes
