"""Words as people and programs write them, cut into what is searched for: whole and in parts.

`src/fooBar_baz.py` is found by the path, by `fooBar_baz.py`, `fooBar_baz`, `fooBar`, `foo`, `bar`,
`baz` and `py`. All works on one word: letters, digits, marks and the connectors `_ . + # /`.
"""

from __future__ import annotations

import re

from holdfact.core.limits import MAX_CAMEL_PARTS
from holdfact.text.scripts import fold

__all__ = ["camel_parts", "parts"]

# C++, C++20, C#, F#: the sign belongs to a short word; elsewhere + and # part words.
_SIGNED = r"([A-Za-z]{1,8})(\+\+|#)(\d*)"
_HEX = r"0[xX][0-9A-Fa-f]+"
_HEX_PREFIXES = frozenset(("0x", "0X"))
_VERSION = r"[vV]\d[\d.]*"
# Of the shadow (see camel_parts): HTTPServer2 is HTTP and Server2.
_HUMPS = r"A+(?!a)0*|A?a+0*|0+"
_RELATIVE = frozenset(("", ".", ".."))
_SHADOW = (
    bytes(
        ord("A") if chr(byte).isupper() else ord("0") if chr(byte).isdigit() else ord("a")
        for byte in range(128)
    )
    + b"a" * 128
)


def parts(word: str) -> list[str]:
    """The folded forms that find `word`: itself, then its parts; some more than once."""
    forms: list[str] = []
    segments = [segment for segment in word.split("/") if segment not in _RELATIVE]
    # An address (`//host/path`, its scheme cut off) is found by its parts.
    if len(segments) > 1 and not word.startswith("//"):
        forms.append(fold("/".join(segments)))
    for segment in segments:
        bare = segment.strip("._")
        if "+" in bare or "#" in bare:
            _signed(bare, forms)
        else:
            _dotted(bare, forms)
    return forms


def _signed(segment: str, forms: list[str]) -> None:
    signed = re.fullmatch(_SIGNED, segment)
    if signed is None:
        for piece in re.split(r"[+#]", segment):
            _dotted(piece.strip("._"), forms)
        return
    word, sign, number = signed.groups()
    forms += (fold(segment), fold(word + sign))
    # One letter alone is another thing than with its sign: C is not C++.
    if len(word) > 1:
        forms.append(fold(word))
    if number:
        forms.append(number)


def _dotted(word: str, forms: list[str]) -> None:
    names = [word] if word else []
    if "." in word:
        names = [name for name in word.split(".") if name]
    if len(names) > 1:
        forms.append(fold(word))
        if word[0] in "vV" and re.fullmatch(_VERSION, word):
            forms.append(word[1:])
    for name in names:
        if "_" not in name:
            _word(name, forms)
            continue
        words = [part for part in name.split("_") if part]
        if len(words) > 1:
            forms.append(fold(name.strip("_")))
        for part in words:
            _word(part, forms)


def _word(word: str, forms: list[str]) -> None:
    folded = fold(word)
    forms.append(folded)
    # Most words are plain: lower case, or with a capital in front.
    if word[1:] == folded[1:] and word.isascii() and word.isalpha():
        return
    if word[:2] in _HEX_PREFIXES and re.fullmatch(_HEX, word):
        forms.append(fold(word[2:]))
        return
    humps = camel_parts(word)
    if 1 < len(humps) <= MAX_CAMEL_PARTS:
        forms += map(fold, humps)
    else:
        humps = [word]
    for hump in humps:
        letters = hump.rstrip("0123456789")
        # sha256 and x509 are a word and a number; a3f9c1 changes too often to have parts.
        if len(letters) < len(hump) and letters.isalpha():
            forms += (fold(letters), hump[len(letters) :])


def camel_parts(word: str) -> list[str]:
    """The humps of a camel-case word, found on a shadow of it: A upper case, 0 digit, a others."""
    if word.islower() or word.isupper() or word.isdigit():
        return [word]
    if word.isascii():
        shadow = word.encode().translate(_SHADOW).decode()
    else:
        shadow = "".join("A" if char.isupper() else "0" if char.isdigit() else "a" for char in word)
    if word[-1] == "s" and re.fullmatch(r"A{2,}a", shadow):
        return [word]  # URLs, PDFs
    return [word[hump.start() : hump.end()] for hump in re.finditer(_HUMPS, shadow)]
