"""Text past ASCII: which characters are parts of words, and words of scripts without spaces.

Han and Kana, and Thai, Lao, Khmer and Myanmar, write no spaces between words: their runs become
single characters and pairs of neighbours, so that queries of one or two characters work too.
Hangul writes spaces but glues particles to its words: a word stays whole beside its pairs.
"""

from __future__ import annotations

import re
from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["fold", "ngrams", "normalise", "split_runs"]

_HAN_KANA = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
_HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
_SOUTH_EAST = "\u0e01-\u0e4e\u0e80-\u0ece\u0edc-\u0edf\u1000-\u103e\u104e-\u109d\u1780-\u17d3"
# Signs that belong to the character before them; a run is cut only in front of the others.
_SOUTH_EAST_SIGNS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u1059\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u109a-\u109d"
    "\u17b4-\u17d3"
)
_RUNS = (
    f"(?P<han>[{_HAN_KANA}]+)|(?P<south_east>[{_SOUTH_EAST}]+)|(?P<hangul>[{_HANGUL}]+)"
    f"|[^{_HAN_KANA}{_SOUTH_EAST}{_HANGUL}]+"
)
_SOUTH_EAST_UNIT = f"[{_SOUTH_EAST_SIGNS}]+|[^{_SOUTH_EAST_SIGNS}][{_SOUTH_EAST_SIGNS}]*"
_WORD_CATEGORIES = frozenset(("L", "N", "M"))
# What may stand inside an identifier or a path; the analyser cuts there itself.
_CONNECTORS = frozenset("_.+#/")
_ZERO_WIDTH_SPACE = 0x200B


class _Separators(dict[int, str | None]):
    """A table for `str.translate`, filled as characters are met.

    Letters, numbers, marks and connectors stay, invisible format characters (soft hyphen,
    joiners) go, all else becomes a space: also the zero-width space, which parts words.
    """

    def __missing__(self, code: int) -> str | None:
        import unicodedata

        char = chr(code)
        category = unicodedata.category(char)
        keeps = category[0] in _WORD_CATEGORIES or char in _CONNECTORS
        value = char if keeps else " "
        if category == "Cf" and code != _ZERO_WIDTH_SPACE:
            self[code] = None
            return None
        self[code] = value
        return value


_separators = _Separators()


def normalise(text: str) -> list[str]:
    """Pieces of `text` in NFKC, parted at everything that is no part of a word."""
    import unicodedata

    return unicodedata.normalize("NFKC", text).translate(_separators).split()


def fold(word: str) -> str:
    """The case-folded form of `word`, in NFKC."""
    if word.isascii():
        return word.lower()
    import unicodedata

    return unicodedata.normalize("NFKC", word.casefold())


def split_runs(piece: str) -> list[tuple[str, str]]:
    """`piece` cut where the way of writing words changes: (kind, run) with the kinds of `_RUNS`."""
    return [(found.lastgroup or "word", found[0]) for found in re.finditer(_RUNS, piece)]


def ngrams(kind: str, run: str) -> tuple[str, ...]:
    """The terms of a run that is no plain word: `han`, `south_east` or `hangul`."""
    if kind == "hangul":
        return tuple(dict.fromkeys((run, *_pairs(run))))
    units = list(run) if kind == "han" else re.findall(_SOUTH_EAST_UNIT, run)
    return (*units, *_pairs(units))


def _pairs(units: Sequence[str]) -> list[str]:
    return [one + two for one, two in pairwise(units)]
