"""Text of facts made fit to print: one line stays one line, and always valid UTF-8.

A hand-edited file may hold anything: control characters that move a terminal, bidirectional
controls that show one text and mean another, bytes that are not UTF-8 (carried as surrogates).
"""

from __future__ import annotations

__all__ = ["clean", "escaped"]

_REPLACEMENT = "\ufffd"
# C0, DEL and C1; line and paragraph separator; the Bidi_Control property; zero width space, word
# joiner, zero width no-break space. ZWJ and ZWNJ stay: emoji and several scripts need them.
_HIDDEN = (
    *range(0x20),
    *range(0x7F, 0xA0),
    *(0x2028, 0x2029),
    *(0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)),
    *(0x200B, 0x2060, 0xFEFF),
)
_ESCAPES = {code: f"\\u{code:04x}" for code in _HIDDEN}


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
