"""Go string literals, as `invalidate_when` is written and read.

Source: the Go language specification ("String literals", "Rune literals") and the documented
behaviour of `strconv.Quote` and `strconv.Unquote`. Bytes that are not UTF-8 are carried as
surrogates (Python's `surrogateescape`), as everywhere in the facts.
"""

from __future__ import annotations

__all__ = ["quote", "unquote"]

_REPLACEMENT = "\ufffd"
_FIRST_SURROGATE, _LAST_SURROGATE = 0xD800, 0xDFFF
_FIRST_ESCAPED_BYTE, _LAST_ESCAPED_BYTE = 0xDC80, 0xDCFF
_LAST_BMP, _LAST_CODE_POINT = 0xFFFF, 0x10FFFF
_DELETE = 0x7F
_LETTERS = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
}
_ESCAPES = {character: "\\" + letter for letter, character in _LETTERS.items()} | {'"': '\\"'}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_OCTAL_DIGITS = 3


def quote(text: str) -> str:
    """`text` as a double-quoted Go literal; what is not printable is escaped."""
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(character: str) -> str:
    escape = _ESCAPES.get(character)
    if escape is not None:
        return escape
    if character.isprintable():
        return character
    code = ord(character)
    if code < ord(" ") or code == _DELETE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _LAST_BMP else f"\\U{code:08x}"


def unquote(literal: str) -> str | None:
    """The text that a Go literal stands for; None when it is not one.

    A literal is double-quoted, back-quoted, or one character in single quotes.
    """
    if len(literal) < len('""') or literal[0] != literal[-1]:
        return None
    mark, inner = literal[0], literal[1:-1]
    if mark == "`":
        return None if "`" in inner else inner.replace("\r", "")
    if mark == '"':
        return _interpreted(inner, mark)
    if mark == "'":
        text = _interpreted(inner, mark)
        return text if _is_one_unit(inner) else None
    return None


def _interpreted(inner: str, mark: str) -> str | None:
    if "\n" in inner:
        return None
    if "\\" not in inner:
        return None if mark in inner else _replaced(inner)
    pieces: list[bytes] = []
    position = 0
    while position < len(inner):
        unit = _unit(inner, position, mark)
        if unit is None:
            return None
        piece, position = unit
        pieces.append(piece)
    return b"".join(pieces).decode("utf-8", "surrogateescape")


def _is_one_unit(inner: str) -> bool:
    unit = _unit(inner, 0, "'") if inner else None
    return unit is not None and unit[1] == len(inner)


def _unit(inner: str, position: int, mark: str) -> tuple[bytes, int] | None:
    """The bytes of the character or escape at `position`, and the position after it."""
    character = inner[position]
    if character == mark:
        return None
    if character != "\\":
        return _replaced(character).encode(), position + 1
    letter = inner[position + 1 : position + 2]
    if letter in _LETTERS:
        return _LETTERS[letter].encode(), position + 2
    if letter == mark:
        return mark.encode(), position + 2
    if letter in _HEX_DIGITS:
        return _number(inner, position + 2, _HEX_DIGITS[letter], 16)
    return _number(inner, position + 1, _OCTAL_DIGITS, 8)


def _number(inner: str, start: int, digits: int, base: int) -> tuple[bytes, int] | None:
    text = inner[start : start + digits]
    allowed = "01234567" if base == 8 else "0123456789abcdefABCDEF"  # noqa: PLR2004 - octal
    if len(text) != digits or any(digit not in allowed for digit in text):
        return None
    code = int(text, base)
    if digits < 4:  # noqa: PLR2004 - \xHH and \ooo are one byte each
        return (bytes([code]), start + digits) if code <= 0xFF else None  # noqa: PLR2004 - a byte
    if code > _LAST_CODE_POINT or _FIRST_SURROGATE <= code <= _LAST_SURROGATE:
        return None
    return chr(code).encode(), start + digits


def _replaced(text: str) -> str:
    """Bytes that are no UTF-8 read as U+FFFD inside an interpreted literal, as in Go."""
    if text.isascii():
        return text
    return "".join(
        _REPLACEMENT if _FIRST_ESCAPED_BYTE <= ord(character) <= _LAST_ESCAPED_BYTE else character
        for character in text
    )
