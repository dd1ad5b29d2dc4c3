"""Which words of a query say what is searched for: function and question words do not.

Dropping them for ranking was the largest single gain of all that was measured
(docs/explanation/analysis.md). The index keeps every word.
"""

from __future__ import annotations

import re

from holdfact.text.function_words import FUNCTION_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["content_words", "without_contractions"]

# what's, don't, we'll: the part after the apostrophe is a function word in every language.
_CONTRACTION = r"(?<=[A-Za-z])['\u2019](?:s|t|d|ll|re|ve|m)\b"
_EDGES = b"./_"
_LEAST_FOREIGN = 2


def without_contractions(query: str) -> str:
    """`query` with the endings of English contractions cut off."""
    if "'" in query or "\u2019" in query:
        return re.sub(_CONTRACTION, " ", query)
    return query


def content_words(words: list[bytes], languages: Sequence[str]) -> list[bytes]:
    """`words` without the function words of one language; all of them if nothing else remains.

    The language is the one of `languages`, or English, that most of the words belong to: taking
    the lists of all of them would lose words like English `die` beside German documents.

    Args:
        words: raw words of a query, in UTF-8.
        languages: the languages of the corpus.
    """
    keys = [word.strip(_EDGES).decode("utf-8", "replace").casefold() for word in words]
    best: list[bool] = []
    for name in dict.fromkeys(("english", *languages)):
        listed = frozenset(FUNCTION_WORDS.get(name, "").split())
        is_function = [key in listed for key in keys]
        # One such word beside English documents may as well be an English word (`die`).
        least = 1 if name == "english" or "english" not in languages else _LEAST_FOREIGN
        if sum(is_function) >= max(least, sum(best) + 1):
            best = is_function
    kept = [word for word, drops in zip(words, best, strict=False) if not drops] if best else words
    return kept or words
