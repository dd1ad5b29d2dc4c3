"""The structure of a Markdown text that matters for cutting it: headings, and what stays whole.

One regular expression looks at the beginnings of lines only; the rest of a line is never visited.
Positions are code points of the text.
"""

from __future__ import annotations

import re

from holdfact.core.limits import MAX_HEADING_CHARS
from holdfact.core.record import NamedTuple
from holdfact.text.frontmatter import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Heading", "Structure", "headings", "line_text", "scan"]

# Fences may be indented (in lists), quoted, or stand after a list marker.
_LINE_STARTS = (
    r"\n(?=[ \t>#=<`~*+\d-])(?: {0,3}(?:(?P<atx>#{1,6})(?=[ \t\r\n]|\Z)"
    r"|(?P<underline>=+|-+)[ \t]*\r?(?=\n|\Z)"
    r"|(?P<comment><!--))"
    r"|[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(?P<fence>`{3,}|~{3,}))"
)
_NOT_A_TITLE = re.compile(r"[ \t]*(?:[-*+>|#]|\d+[.)][ \t]|```|~~~|\Z)|    |\t")


class Heading(NamedTuple):
    """A heading: where its line starts and its content begins, its level (1 to 6) and its text."""

    start: int
    end: int
    level: int
    title: str


class Structure(NamedTuple):
    """Headings in order, and spans (start, end) in order that stay whole where they can."""

    headings: list[Heading]
    spans: list[tuple[int, int]]


def line_text(text: str) -> str:
    """`text` with every lone CR as LF, so that all lines end with LF; the same length."""
    return re.sub(r"\r(?!\n)", "\n", text) if "\r" in text else text


def scan(lines: str) -> Structure:
    """The structure of a text whose lines end with LF (`line_text`)."""
    scanner = _Scanner(lines)
    return Structure(list(scanner.headings()), scanner.spans)


def headings(lines: str) -> Iterator[Heading]:
    """The headings of `scan`, one by one: the text past the last one asked for is not read."""
    return _Scanner(lines).headings()


class _Scanner:
    """One pass over the marks at the beginnings of lines."""

    def __init__(self, lines: str) -> None:
        self._lines = lines
        _, self._body = split(lines)
        self.spans = [(0, self._body)] if self._body else []
        self._fence = ""
        self._since = 0
        # Marks before this place are inside the header or a comment.
        self._skip = self._body
        self._may_have_comments = True

    def headings(self) -> Iterator[Heading]:
        """Go through the text; `spans` is complete at the end."""
        # The newline in front makes the first line begin like all others: index k is line start k.
        for found in re.finditer(_LINE_STARTS, "\n" + self._lines):
            if found.start() < self._skip:
                continue
            if self._fence:
                self._close(found)
            elif found["fence"]:
                self._open(found)
            elif found["comment"]:
                self._comment(found.start())
            elif heading := _heading(self._lines, found, self._body):
                yield heading
        if self._fence:
            self.spans.append((self._since, len(self._lines)))

    def _open(self, found: re.Match[str]) -> None:
        info = self._lines[found.end() - 1 : _line_end(self._lines, found.start())]
        if found["fence"][0] == "~" or "`" not in info:
            self._fence, self._since = found["fence"], found.start()

    def _close(self, found: re.Match[str]) -> None:
        end = _line_end(self._lines, found.start())
        mark = found["fence"] or ""
        if mark.startswith(self._fence) and not self._lines[found.end() - 1 : end].strip():
            self.spans.append((self._since, end))
            self._fence = ""

    def _comment(self, start: int) -> None:
        # After one comment without an end none has one: looking again would be quadratic.
        closing = self._lines.find("-->", start) if self._may_have_comments else -1
        self._may_have_comments = closing >= 0
        if closing >= 0:
            self._skip = _line_end(self._lines, closing)
            self.spans.append((start, self._skip))


def _heading(lines: str, found: re.Match[str], body: int) -> Heading | None:
    start = found.start()
    end = _line_end(lines, start)
    if found["atx"]:
        content = lines[found.end() - 1 : min(end, start + MAX_HEADING_CHARS)].strip()
        return Heading(start, end, len(found["atx"]), content.rstrip("#").rstrip())
    title_start = max(lines.rfind("\n", 0, max(start - 1, 0)) + 1, body)
    title = lines[title_start : min(start, title_start + MAX_HEADING_CHARS)]
    if _NOT_A_TITLE.match(title.rstrip()):
        return None
    return Heading(title_start, end, 1 if found["underline"][0] == "=" else 2, title.strip())


def _line_end(lines: str, at: int) -> int:
    """Where the line after the one of `at` starts."""
    return lines.find("\n", at) + 1 or len(lines)
