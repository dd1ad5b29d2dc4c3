"""Words as people and programs write them, cut into what is searched for: whole and in parts.

`src/fooBar_baz.py` is found by the path, by `fooBar_baz.py`, `fooBar_baz`, `fooBar`, `foo`, `bar`,
`baz` and `py`. All works on one word: letters, digits, marks and the connectors `_ . + # /`.
"""

from __future__ import annotations

from holdfact.core.limits import MAX_CAMEL_PARTS
from holdfact.text.scripts import fold

__all__ = ["camel_parts", "parts"]

# C++, C++20, C#, F#: the sign belongs to a short word; elsewhere + and # part words.
_SIGNS = ("++", "#")
_MAX_SIGNED_CHARS = 8
_HEX_DIGITS = "0123456789ABCDEFabcdef"
_HEX_PREFIXES = frozenset(("0x", "0X"))
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
            if bare.strip("+#"):  # a heading's mark says nothing
                _signed(bare, forms)
        else:
            _dotted(bare, forms)
    return forms


def _signed(segment: str, forms: list[str]) -> None:
    signed = _sign_of(segment)
    if signed is None:
        for piece in segment.replace("+", "#").split("#"):
            _dotted(piece.strip("._"), forms)
        return
    word, sign, number = signed
    forms += (fold(segment), fold(word + sign))
    # One letter alone is another thing than with its sign: C is not C++.
    if len(word) > 1:
        forms.append(fold(word))
    if number:
        forms.append(number)


def _sign_of(segment: str) -> tuple[str, str, str] | None:
    """The short word, its sign and the number after it; None when it is not made so."""
    for sign in _SIGNS:
        word, found, number = segment.partition(sign)
        is_word = word.isascii() and word.isalpha() and len(word) <= _MAX_SIGNED_CHARS
        if found and is_word and (not number or number.isdecimal()):
            return word, sign, number
    return None


def _dotted(word: str, forms: list[str]) -> None:
    names = [word] if word else []
    if "." in word:
        names = [name for name in word.split(".") if name]
    if len(names) > 1:
        forms.append(fold(word))
        if word[0] in "vV" and _is_version(word[1:]):
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
    if word[:2] in _HEX_PREFIXES and word[2:] and not word[2:].strip(_HEX_DIGITS):
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
    if word[-1] == "s" and shadow[-1] == "a" and len(shadow) > 2 and not shadow[:-1].strip("A"):  # noqa: PLR2004 - two capitals at least
        return [word]  # URLs, PDFs
    return _humps(word, shadow)


def _humps(word: str, shadow: str) -> list[str]:
    """A word cut where its shadow says that a hump begins: HTTPServer2 is HTTP and Server2."""
    humps: list[str] = []
    rest = shadow
    while rest:
        after = rest.lstrip("A")
        if after[:1] == "a" and len(rest) - len(after) > 1:
            after = "A" + after  # the last capital begins the next hump
        else:
            after = after.lstrip("a").lstrip("0")
        start = len(word) - len(rest)
        humps.append(word[start : start + len(rest) - len(after)])
        rest = after
    return humps


def _is_version(text: str) -> bool:
    """Whether a text is a digit, then digits and dots."""
    return text[:1].isdecimal() and text.replace(".", "").isdecimal()
