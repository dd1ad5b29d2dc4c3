"""How many tokens a text is, about: cheap, and never more for a part than for the whole.

A token is counted as four quarters: an ASCII character is one quarter, one of U+0080 to U+07FF
(accents, Greek, Cyrillic, Arabic) two, any other (Han, Kana, Hangul, emoji) four. The quarters of
texts add up exactly when the texts are joined; the estimate rounds them up to whole tokens.
"""

from __future__ import annotations

__all__ = ["QUARTERS", "estimate_tokens", "furthest", "furthest_back"]

QUARTERS = 4
# Characters of two and four bytes weigh their bytes; those of three bytes one more: these are all
# bytes but their leads.
_OTHER_BYTES = bytes(range(0xE0)) + bytes(range(0xF0, 0x100))


def estimate_tokens(text: str) -> int:
    """About how many tokens `text` is; 0 only for an empty text."""
    return -(-_weight(text) // QUARTERS)


def furthest(text: str, start: int, weight: int) -> int:
    """The greatest end such that text[start:end] has at most `weight` quarters."""
    piece = text[start : start + weight]
    while (excess := _weight(piece) - weight) > 0:
        # No character weighs more than four: this many at least are too many.
        piece = piece[: -excess // QUARTERS]
    return start + len(piece)


def furthest_back(text: str, end: int, weight: int) -> int:
    """The least start such that text[start:end] has at most `weight` quarters."""
    piece = text[max(0, end - weight) : end]
    while (excess := _weight(piece) - weight) > 0:
        piece = piece[-(-excess // QUARTERS) :]
    return end - len(piece)


def _weight(text: str) -> int:
    if text.isascii():
        return len(text)
    data = text.encode("utf-8", "surrogatepass")
    return len(data) + len(data.translate(None, _OTHER_BYTES))
