"""Chunks: pieces of a text that are small enough to rank and to show, cut where a reader would cut.

A chunk ends, in this order of preference, before a heading, before a code block or comment that
would be torn, after a blank line, before a list item, a quote or a table, after a line, after a
sentence, after a word, between two characters. A chunk that does not begin at a heading repeats
the end of the chunk before it.

Work is done per chunk on positions, not per line: `find` and `rfind` visit the text in C.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from holdfact.core.record import NamedTuple
from holdfact.text.estimate import QUARTERS, estimate_tokens, furthest, furthest_back
from holdfact.text.graphemes import is_boundary, last_boundary
from holdfact.text.structure import Heading, line_text, scan
from holdfact.text.versions import CHUNKER_VERSION

__all__ = ["VERSION", "Chunk", "chunk", "estimate_tokens"]

VERSION = CHUNKER_VERSION

# A chunk is cut at a heading once it is this part of the window; smaller sections stay together.
_MIN_SECTION = 4
# Other cuts are looked for in the last half of the window first.
_LAST_PART = 2
_BLANK_LINES = ("\n\n", "\n\r\n")
_ITEMS = ("\n- ", "\n* ", "\n+ ", "\n1. ")
_SENTENCES = (". ", "! ", "? ", "\u3002", "\uff01", "\uff1f")


class Chunk(NamedTuple):
    """A piece `text[start:end]` of a document.

    Attributes:
        start: where it begins, in code points of the source, overlap included.
        end: where it ends (exclusive).
        overlap: how many of its first code points the chunk before has too.
        first_line: its first line, from 1; lines end with LF, CR LF or CR, as in an editor.
        last_line: the line of its last character.
        start_byte: `start` in bytes of UTF-8.
        end_byte: `end` in bytes of UTF-8.
        headings: the headings that its new part stands under, outermost first.
    """

    start: int
    end: int
    overlap: int
    first_line: int
    last_line: int
    start_byte: int
    end_byte: int
    headings: tuple[str, ...]


def chunk(
    text: str, *, size_tokens: int, overlap_tokens: int, keeps_whole: bool = False
) -> list[Chunk]:
    """The chunks of `text`, in order; one empty chunk for an empty text.

    Args:
        text: any text.
        size_tokens: the most tokens of a chunk by `estimate_tokens`, overlap included; at least 1.
        overlap_tokens: the most tokens that are repeated; at most half of `size_tokens`.
        keeps_whole: a text that fits is one chunk, also where it has headings.
    """
    if size_tokens < 1 or not 0 <= 2 * overlap_tokens <= size_tokens:
        raise ValueError(f"an overlap of {overlap_tokens} tokens for chunks of {size_tokens}")
    size = size_tokens * QUARTERS
    cutter = _Cutter(text, size, overlap_tokens * QUARTERS)
    return cutter.whole() if keeps_whole and furthest(text, 0, size) == len(text) else cutter.run()


class _Cutter:
    """One text on its way to chunks. Weights are in quarters of a token."""

    def __init__(self, text: str, size: int, overlap: int) -> None:
        self._text = text
        self._lines = line_text(text)
        self._size = size
        self._overlap = overlap
        self._headings, self._spans = scan(self._lines)
        self._heading_starts = [heading.start for heading in self._headings]
        self._span_starts = [start for start, _ in self._spans]
        self._path: list[Heading] = []
        self._applied = 0

    def run(self) -> list[Chunk]:
        chunks: list[Chunk] = []
        place = _Place(self._text, self._lines)
        start = begin = 0
        while True:
            start, limit = self._window(start, begin)
            end = self._cut(begin, limit)
            chunks.append(place.chunk(start, begin, end, self._headings_at(begin, end)))
            if end >= len(self._text):
                return chunks
            start, begin = self._overlap_start(begin, end), end

    def whole(self) -> list[Chunk]:
        """The text as one chunk."""
        end = len(self._text)
        place = _Place(self._text, self._lines)
        return [place.chunk(0, 0, end, self._headings_at(0, end))]

    def _window(self, start: int, begin: int) -> tuple[int, int]:
        """Where the chunk starts, and the furthest place where it may end."""
        limit = last_boundary(self._text, begin, furthest(self._text, start, self._size))
        if limit <= begin:  # one long cluster: first the overlap goes, then the cluster is cut
            start, end = begin, furthest(self._text, begin, self._size)
            limit = last_boundary(self._text, begin, end)
            limit = limit if limit > begin else end
        return start, limit

    def _cut(self, begin: int, limit: int) -> int:
        least = begin + max(1, (limit - begin) // _MIN_SECTION)
        first = bisect_left(self._heading_starts, least)
        if first < len(self._heading_starts) and self._heading_starts[first] <= limit:
            return self._heading_starts[first]
        if limit >= len(self._text):
            return limit
        low = begin + (limit - begin) // _LAST_PART
        return (
            self._block_break(low, least, limit)
            or self._line_break(least, limit)
            or self._word_break(low, limit)
        )

    def _block_break(self, low: int, least: int, limit: int) -> int:
        """Before a block that would be torn, after a blank line, before a list item; or 0."""
        torn = self._span_around(limit)
        if torn is not None and torn[0] >= least:
            return torn[0]
        for marks, taken in ((_BLANK_LINES, None), (_ITEMS, 1)):
            found = max(_after(self._lines, mark, low, limit, taken or len(mark)) for mark in marks)
            if found > low:
                # A blank line inside an earlier code block is no paragraph; the block's end is.
                span = self._span_around(found)
                return found if span is None or span == torn else span[1]
        return 0

    def _line_break(self, least: int, limit: int) -> int:
        """The last start of a line in the window, of a table or quote its first line; or 0."""
        lines = self._lines
        found = _after(lines, "\n", least, limit, 1)
        first = found
        while first > least and lines[first] in "|>":
            before = lines.rfind("\n", 0, first - 1) + 1
            if lines[before] != lines[first]:
                return first
            first = before
        return found

    def _word_break(self, low: int, limit: int) -> int:
        """After the last sentence or space of the window, else its end."""
        text = self._text
        sentence = max(_after(text, mark, low, limit, len(mark)) for mark in _SENTENCES)
        for found in (sentence, _after(text, " ", low, limit, 1)):
            if found and is_boundary(text, found):
                return found
        return limit

    def _span_around(self, at: int) -> tuple[int, int] | None:
        index = bisect_left(self._span_starts, at) - 1
        if index >= 0 and at < self._spans[index][1]:
            return self._spans[index]
        return None

    def _overlap_start(self, begin: int, end: int) -> int:
        """Where the chunk after text[begin:end] starts to repeat it: at a line, a word or so."""
        heading = bisect_right(self._heading_starts, end) - 1
        floor = max(begin, self._heading_starts[heading] if heading >= 0 else 0)
        start = furthest_back(self._text, end, self._overlap)
        if start <= floor:
            return floor
        line = self._lines.find("\n", start - 1, end - 1) + 1
        if line:
            return line
        word = self._text.find(" ", start, end) + 1
        if word and is_boundary(self._text, word):
            return word
        while start < end and not is_boundary(self._text, start, begin):
            start += 1
        return start

    def _headings_at(self, begin: int, end: int) -> tuple[str, ...]:
        """The path at `begin`, with the headings that open the piece."""
        reach = begin
        while self._applied < len(self._headings):
            heading = self._headings[self._applied]
            if heading.start > begin and (
                heading.start >= end or self._text[reach : heading.start].strip()
            ):
                break
            while self._path and self._path[-1].level >= heading.level:
                self._path.pop()
            self._path.append(heading)
            self._applied += 1
            reach = max(reach, heading.end) if heading.start >= begin else reach
        return tuple(heading.title for heading in self._path if heading.title)


class _Place:
    """Lines and bytes of positions that only move forward."""

    def __init__(self, text: str, lines: str) -> None:
        self._text = text
        self._lines = lines
        self._is_ascii = text.isascii()
        self._byte = 0
        self._line = 1

    def chunk(self, start: int, begin: int, end: int, headings: tuple[str, ...]) -> Chunk:
        first_line = self._line - self._lines.count("\n", start, begin)
        # A line break belongs to the line that it ends.
        last_line = self._line + self._lines.count("\n", begin, max(begin, end - 1))
        start_byte = self._byte - self._bytes(start, begin)
        self._byte += self._bytes(begin, end)
        self._line += self._lines.count("\n", begin, end)
        return Chunk(
            start, end, begin - start, first_line, last_line, start_byte, self._byte, headings
        )

    def _bytes(self, start: int, end: int) -> int:
        if self._is_ascii:
            return end - start
        return len(self._text[start:end].encode("utf-8", "surrogatepass"))


def _after(text: str, mark: str, low: int, high: int, taken: int) -> int:
    """The place `taken` characters into the last `mark` of text[low:high]; 0 if there is none."""
    found = text.rfind(mark, low, high)
    return found + taken if found >= 0 else 0
