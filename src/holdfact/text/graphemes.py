"""Where a text may be cut: never inside what a reader sees as one character.

A working subset of Unicode's extended grapheme clusters (UAX #29): no cut inside CR LF, before a
combining mark, a variation selector, a joiner, an emoji modifier, a tag or a Hangul vowel or final,
after a zero-width joiner, inside a pair of regional indicators or of surrogates. Prepended
characters and Indic conjuncts are not kept together.
"""

from __future__ import annotations

__all__ = ["is_boundary", "last_boundary"]

_JOINER = "\u200d"
# What extends the character before it without being a mark (category M), as ranges.
_EXTENDERS = (
    ("\u200c", "\u200d"),
    ("\U0001f3fb", "\U0001f3ff"),
    ("\U000e0020", "\U000e007f"),
    ("\u1160", "\u11ff"),
    ("\ud7b0", "\ud7fb"),
    ("\u0e33", "\u0e33"),
    ("\u0eb3", "\u0eb3"),
    ("\uff9e", "\uff9f"),
    ("\udc00", "\udfff"),
)
_FIRST_EXTENDER = "\u0300"
_REGIONAL = ("\U0001f1e6", "\U0001f1ff")


def is_boundary(text: str, at: int, start: int = 0) -> bool:
    """Whether `text` may be cut before code point `at`; `start` is a boundary before it.

    `start` bounds how far is looked back for pairs of regional indicators.
    """
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if before in "\r\n":
        return not (before == "\r" and after == "\n")
    if before == _JOINER:
        return False
    if after < _FIRST_EXTENDER:
        return True
    if _is_regional(before) and _is_regional(after):
        first = at
        while first > start and _is_regional(text[first - 1]):
            first -= 1
        return (at - first) % 2 == 0
    return not _extends(after)


def last_boundary(text: str, start: int, end: int) -> int:
    """The last place in (start, end] where `text` may be cut; `start` if there is none."""
    while end > start and not is_boundary(text, end, start):
        end -= 1
    return end


def _is_regional(char: str) -> bool:
    return _REGIONAL[0] <= char <= _REGIONAL[1]


def _extends(char: str) -> bool:
    import unicodedata

    return unicodedata.category(char)[0] == "M" or any(
        low <= char <= high for low, high in _EXTENDERS
    )
