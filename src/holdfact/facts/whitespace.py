"""White space as the fact format means it: Unicode's White_Space property, nothing more.

Python's own `strip()` also removes U+001C to U+001F, which are not white space there; a fact that
begins or ends with one of them would be read differently by the other programs of the format.
"""

from __future__ import annotations

__all__ = ["WHITE_SPACE", "collapse", "is_blank", "trim"]

# The Unicode Character Database, PropList.txt, White_Space (unchanged since Unicode 6.3).
WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
_TO_SPACE = dict.fromkeys(map(ord, WHITE_SPACE), " ")


def trim(text: str) -> str:
    """`text` without white space at both ends."""
    return text.strip(WHITE_SPACE)


def is_blank(text: str) -> bool:
    """Whether nothing but white space is in `text`."""
    return not text.strip(WHITE_SPACE)


def collapse(text: str) -> str:
    """`text` trimmed, with every run of white space as one space."""
    return " ".join(word for word in text.translate(_TO_SPACE).split(" ") if word)
