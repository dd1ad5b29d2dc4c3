"""From a document to what is stored: chunks, their term frequencies, and the record."""

from __future__ import annotations

import zlib
from array import array

from holdfact.core.errors import FileTooLarge
from holdfact.core.limits import (
    FIELD_WEIGHT,
    MAX_CHUNK_LENGTH_TERMS,
    MAX_DOCUMENT_CHUNKS,
    MAX_TERM_FREQUENCY,
)
from holdfact.core.types import Document
from holdfact.engine.storage.base import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.text.chunker import Chunk
    from holdfact.text.tokenizer import Analyzer

__all__ = ["Analysis"]

_LEVEL = 1  # levels 3 and 6 save 2 and 5 % of the text for 20 and 100 % more time


class Analysis:
    """Turns documents into records; the same document and parameters give the same record.

    Args:
        analyzer: the analyser of index and query.
        size_tokens: largest chunk, overlap included.
        overlap_tokens: what a chunk repeats of the one before.
    """

    __slots__ = ("_analyzer", "_overlap", "_size")

    def __init__(self, analyzer: Analyzer, size_tokens: int, overlap_tokens: int) -> None:
        self._analyzer = analyzer
        self._size = size_tokens
        self._overlap = overlap_tokens

    def prepare(self, document: Document, sha256: bytes) -> tuple[Record, list[dict[str, int]]]:
        """The record of a document, and each chunk's term frequencies with the field weights.

        Raises:
            FileTooLarge: it has more chunks than a document may have.
        """
        from holdfact.text.tokenizer import detect_language

        language = detect_language(document.text)
        data = document.text.encode()
        chunks, counts = self.count(document, data, language)
        spans = array("I")
        for chunk, terms in zip(chunks, counts, strict=True):
            start, end, _, first_line, last_line, start_byte, end_byte, _ = chunk
            length = min(sum(terms.values()), MAX_CHUNK_LENGTH_TERMS)
            crc = zlib.crc32(data[start_byte:end_byte])
            spans.extend((start, end, first_line, last_line, length, crc))
        record = Record(
            document.kind, document.id, document.path, document.title, document.name,
            document.description, document.scope, language, document.first_line, sha256,
            len(chunks), spans.tobytes(), zlib.compress(data, _LEVEL),
        )  # fmt: skip
        return record, counts

    def count(
        self, document: Document, data: bytes, language: str
    ) -> tuple[list[Chunk], list[dict[str, int]]]:
        """The chunks of a document and their term frequencies; `data` is its text in UTF-8."""
        from holdfact.text.chunker import chunk

        chunks = chunk(
            document.text, size_tokens=self._size, overlap_tokens=self._overlap,
            keeps_whole=document.kind == "fact",
        )  # fmt: skip
        if len(chunks) > MAX_DOCUMENT_CHUNKS:
            raise FileTooLarge(
                f"{document.path} has {len(chunks)} chunks; the limit is {MAX_DOCUMENT_CHUNKS}"
            )
        fields = self._fields(document, language)
        headings: dict[tuple[str, ...], list[tuple[str, int]]] = {}
        counted: list[dict[str, int]] = []
        parts = [(piece.start_byte, piece.end_byte) for piece in chunks]
        each = self._analyzer.counts_of_parts(data, parts, language)
        for piece, counts in zip(chunks, each, strict=True):
            header = headings.get(piece.headings)
            if header is None:
                header = headings[piece.headings] = self._header(
                    fields, document.title, piece.headings, language
                )
            get = counts.get
            for term, weight in header:
                counts[term] = get(term, 0) + weight
            # Few chunks are long enough to need a look.
            if sum(counts.values()) > MAX_TERM_FREQUENCY < max(counts.values()):
                counted.append({t: min(tf, MAX_TERM_FREQUENCY) for t, tf in counts.items()})
            else:
                counted.append(counts)
        return chunks, counted

    def _fields(self, document: Document, language: str) -> dict[str, int]:
        total: dict[str, int] = {}
        for text in (document.title, document.name, document.description):
            self._add(total, text, language)
        return total

    def _header(
        self, fields: dict[str, int], title: str, headings: tuple[str, ...], language: str
    ) -> list[tuple[str, int]]:
        total = dict(fields)
        # The first heading is usually the title: named once is enough.
        path = headings[1:] if headings and headings[0] == title else headings
        self._add(total, "\n".join(path), language)
        return list(total.items())

    def _add(self, total: dict[str, int], text: str, language: str) -> None:
        if not text:
            return
        for term, count in self._analyzer.counts(text, language).items():
            total[term] = total.get(term, 0) + FIELD_WEIGHT * count

    def recount(self, record: Record, text: str) -> list[dict[str, int]]:
        """The term frequencies of a stored document, as when it was prepared."""
        document = Document(
            record.key, record.kind, record.path, text, record.title, record.name,
            record.description, record.scope, record.first_line,
        )  # fmt: skip
        return self.count(document, text.encode(), record.language)[1]
