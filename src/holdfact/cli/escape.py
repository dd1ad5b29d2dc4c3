"""Recalled text made safe to show: it can be read, but it can't drive the terminal.

Control characters, the marks that reorder a line, and bytes that are not UTF-8 are shown as
escapes. Nothing is dropped, so a person sees that something odd is there.
"""

from __future__ import annotations

from holdfact.facts.printable import BIDIRECTIONAL, CONTROLS, SEPARATORS

__all__ = ["block", "field", "json_text", "line"]

_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"}


def line(text: str) -> str:
    """`text` on one line, for a person."""
    if text.isprintable():
        return text
    return "".join(_escaped(char) if _is_unsafe(char) else char for char in text)


def block(text: str) -> str:
    """`text` with its line breaks and tabs, for a person."""
    return "\n".join("\t".join(line(cell) for cell in row.split("\t")) for row in text.split("\n"))


def field(text: str) -> str:
    r"""`text` as a field of `--plain`: tab, LF, CR and backslash become `\t`, `\n`, `\r`, `\\`."""
    return "".join(
        _SHORT.get(char) or (_escaped(char) if _is_unsafe(char) else char) for char in text
    )


def json_text(text: str) -> str:
    """Serialised JSON with the same characters escaped, and valid Unicode only.

    A byte that is not UTF-8 becomes U+FFFD: an escaped half of a surrogate pair would be legal JSON
    that many parsers refuse.
    """
    if text.isprintable():
        return text
    return "".join(
        "\ufffd" if "\ud800" <= char <= "\udfff" else _json_escaped(char) for char in text
    )


def _json_escaped(char: str) -> str:
    return f"\\u{ord(char):04x}" if _is_unsafe(char) else char


def _is_unsafe(char: str) -> bool:
    return (
        char in CONTROLS
        or char in SEPARATORS
        or char in BIDIRECTIONAL
        or "\ud800" <= char <= "\udfff"
    )


def _escaped(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # noqa: PLR2004 - how Python carries bytes that are not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"  # noqa: PLR2004 - widths
