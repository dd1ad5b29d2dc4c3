"""Text of facts made fit to print: one line stays one line, and always valid UTF-8.

A hand-edited file may hold anything: control characters that move a terminal, bidirectional
controls that show one text and mean another, bytes that are not UTF-8 (carried as surrogates).
"""

from __future__ import annotations

__all__ = ["BIDIRECTIONAL", "CONTROLS", "SEPARATORS", "clean", "escaped"]

_REPLACEMENT = "\ufffd"
# C0, DEL and C1.
CONTROLS = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
# The line and the paragraph separator.
SEPARATORS = frozenset("\u2028\u2029")
# The Bidi_Control property.
BIDIRECTIONAL = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
# Zero width space, word joiner, zero width no-break space. ZWJ and ZWNJ are not hidden: emoji and
# several scripts need them.
_INVISIBLE = frozenset("\u200b\u2060\ufeff")
_ESCAPES = {
    ord(char): f"\\u{ord(char):04x}" for char in CONTROLS | SEPARATORS | BIDIRECTIONAL | _INVISIBLE
}


def clean(text: str) -> str:
    """`text` with U+FFFD for each byte that was not UTF-8; as many characters as before."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(_REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def escaped(text: str) -> str:
    r"""`clean` text with hidden and control characters as `\uXXXX`: it prints as one line."""
    return text if text.isprintable() else clean(text).translate(_ESCAPES)
