"""Words as people and programs write them, cut into what is searched for: whole and in parts.

`src/fooBar_baz.py` is found by the path, by `fooBar_baz.py`, `fooBar_baz`, `fooBar`, `foo`, `bar`,
`baz` and `py`. All works on one word: letters, digits, marks and the connectors `_ . + # /`.
"""

from __future__ import annotations

import re

from holdfact.core.limits import MAX_CAMEL_PARTS
from holdfact.text.scripts import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["parts"]

# C++, C++20, C#, F#: the sign belongs to a short word; elsewhere + and # part words.
_SIGNED = r"([A-Za-z]{1,8})(\+\+|#)(\d*)"
_HEX = r"0[xX]([0-9A-Fa-f]+)"
_VERSION = r"[vV]\d[\d.]*"
# sha256 and x509 are a word and a number; a3f9c1 changes too often to have parts.
_LETTERS_DIGITS = r"([^\W\d_]{1,16})(\d{1,8})"
# Of the shadow (see _camel): HTTPServer2 is HTTP and Server2.
_HUMPS = r"A+(?!a)0*|A?a+0*|0+"
_RELATIVE = frozenset(("", ".", ".."))
_SHADOW = (
    bytes(
        ord("A") if chr(byte).isupper() else ord("0") if chr(byte).isdigit() else ord("a")
        for byte in range(128)
    )
    + b"a" * 128
)


def parts(word: str) -> Iterator[str]:
    """The folded forms that find `word`: itself, then its parts; some more than once."""
    segments = [segment for segment in word.split("/") if segment not in _RELATIVE]
    # An address (`//host/path`, its scheme cut off) is found by its parts.
    if len(segments) > 1 and not word.startswith("//"):
        yield fold("/".join(segments))
    for segment in segments:
        yield from _segment(segment.strip("._"))


def _segment(segment: str) -> Iterator[str]:
    signed = re.fullmatch(_SIGNED, segment)
    if signed is None:
        for piece in re.split(r"[+#]", segment):
            yield from _dotted(piece.strip("._"))
        return
    word, sign, number = signed.groups()
    yield fold(segment)
    yield fold(word + sign)
    # One letter alone is another thing than with its sign: C is not C++.
    if len(word) > 1:
        yield fold(word)
    if number:
        yield number


def _dotted(word: str) -> Iterator[str]:
    names = [name for name in word.split(".") if name]
    if len(names) > 1:
        yield fold(word)
        if re.fullmatch(_VERSION, word):
            yield word[1:]
    for name in names:
        yield from _name(name.strip("_"))


def _name(name: str) -> Iterator[str]:
    words = [word for word in name.split("_") if word]
    if len(words) > 1:
        yield fold(name)
    for word in words:
        yield from _word(word)


def _word(word: str) -> Iterator[str]:
    yield fold(word)
    if number := re.fullmatch(_HEX, word):
        yield fold(number[1])
        return
    humps = _camel(word)
    if 1 < len(humps) <= MAX_CAMEL_PARTS:
        yield from map(fold, humps)
    else:
        humps = [word]
    for hump in humps:
        if mixed := re.fullmatch(_LETTERS_DIGITS, hump):
            yield fold(mixed[1])
            yield mixed[2]


def _camel(word: str) -> list[str]:
    """The humps of a camel-case word, found on a shadow of it: A upper case, 0 digit, a others."""
    if word.isascii():
        shadow = word.encode().translate(_SHADOW).decode()
    else:
        shadow = "".join("A" if char.isupper() else "0" if char.isdigit() else "a" for char in word)
    if "A" not in shadow or "a" not in shadow:
        return [word]
    if word[-1] == "s" and re.fullmatch(r"A{2,}a", shadow):
        return [word]
    return [word[hump.start() : hump.end()] for hump in re.finditer(_HUMPS, shadow)]
