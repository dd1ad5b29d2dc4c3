"""The header of a Markdown file: between `---` lines (YAML) or `+++` lines (TOML) at its start.

Lenient on purpose, and no YAML: what is read is `key: value` (or `key = value`) at the beginning of
a line, a value in quotes, a list in brackets, and a list of `- item` lines below a key. All other
lines are passed over. That is enough for titles, aliases and tags; nothing is ever refused.
"""

from __future__ import annotations

import re

from holdfact.core.limits import MAX_HEADER_CHARS

__all__ = ["Header", "as_list", "as_text", "split"]

Header = dict[str, str | list[str]]

_FENCE = r"(---|\+\+\+)[ \t]*(?:\r\n|\r|\n)"
# Possessive: a long line that is no pair is given up at once, not tried at each of its spaces.
_PAIR = r"([A-Za-z_][\w .-]*+)[ \t]*+[:=](?:[ \t]+(.*)|(\[.*)|[ \t]*)"
_ITEM = r"[ \t]*-[ \t]+(.*)"


def split(text: str) -> tuple[Header, int]:
    """The header of `text` and where the body begins (code points); ({}, 0) without a header.

    A header that isn't closed within MAX_HEADER_CHARS is none. Keys are lower case.
    """
    start = 1 if text.startswith("\ufeff") else 0
    opening = re.compile(_FENCE).match(text, start)
    if opening is None:
        return {}, 0
    closing = re.compile(
        rf"^(?:{re.escape(opening[1])}|\.\.\.)[ \t]*(?:\r\n|\r|\n|\Z)", re.MULTILINE
    )
    inner = text[opening.end() : opening.end() + MAX_HEADER_CHARS]
    # Lines end with CR too in old files; `^` knows only LF.
    lines = inner.replace("\r", "\n") if "\n" not in inner else inner
    end = closing.search(lines)
    if end is None:
        return {}, 0
    return _parse(lines[: end.start()].splitlines()), opening.end() + end.end()


def as_text(value: str | list[str] | None) -> str:
    """A header's value as one text."""
    return " ".join(value) if isinstance(value, list) else value or ""


def as_list(value: str | list[str] | None) -> list[str]:
    """A header's value as a list: a plain value is split at its commas."""
    if isinstance(value, list):
        return value
    return [item for item in map(str.strip, (value or "").split(",")) if item]


def _parse(lines: list[str]) -> Header:
    header: Header = {}
    key = ""
    for line in lines:
        if pair := re.fullmatch(_PAIR, line):
            key = pair[1].rstrip().lower()
            header[key] = _value((pair[2] or pair[3] or "").strip())
        elif (item := re.fullmatch(_ITEM, line)) and key:
            found = header[key]
            items = found if isinstance(found, list) else [found] if found else []
            header[key] = [*items, _unquote(item[1].strip())]
    return header


def _value(raw: str) -> str | list[str]:
    if raw.startswith("[") and raw.endswith("]"):
        return [item for item in (_unquote(part.strip()) for part in raw[1:-1].split(",")) if item]
    return _unquote(raw)


def _unquote(raw: str) -> str:
    if len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'":
        return raw[1:-1]
    return raw
