"""From a document to what is stored: the same numbers each time, and those of the reference."""

from __future__ import annotations

import zlib
from array import array
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.core.types import Document
from holdfact.engine import analysis as analysis_module
from holdfact.engine.analysis import Analysis
from holdfact.engine.storage.base import SPAN
from holdfact.text.bm25 import weigh
from holdfact.text.chunker import chunk
from holdfact.text.tokenizer import Analyzer, detect_language

ANALYZER = Analyzer()
ANALYSIS = Analysis(ANALYZER, 24, 6)

_WORDS = st.lists(
    st.sampled_from(
        ["the", "Walrus", "tusks", "und", "nicht", "größte", "成语接龙", "fooBar", "\n", "\n\n",
         "# Head\n", "\n## Walrus tusks\n", "- item\n", "x" * 90, "\r\n"]
    ),
    max_size=40,
).map(" ".join)  # fmt: skip
_SHORT = st.sampled_from(["", "Walrus", "Head", "tusk-length", "Walrus tusks und fooBar"])
_DOCUMENTS = st.builds(
    Document,
    id=st.just("project/a"), kind=st.sampled_from(["fact", "document"]), path=st.just("a.md"),
    text=_WORDS, title=_SHORT, name=_SHORT, description=_SHORT, scope=st.just("project"),
    first_line=st.integers(1, 9),
)  # fmt: skip


@given(_DOCUMENTS)
@pytest.mark.requirement("SPEC-ENG-01")
def test_a_stored_document_is_counted_again_as_it_was(document: Document) -> None:
    """A removal subtracts what it counts again; anything else would stay in the ranking."""
    record, counts = ANALYSIS.prepare(document, b"digest")
    text = zlib.decompress(record.body).decode()
    assert document.text == text
    assert counts == Analysis(Analyzer(), 24, 6).recount(record, text)
    assert (record.kind, record.key, record.path) == (document.kind, document.id, document.path)
    assert (record.scope, record.first_line) == (document.scope, document.first_line)
    assert (record.sha256, record.language) == (b"digest", detect_language(text))


@given(_DOCUMENTS)
@pytest.mark.requirement("SPEC-TEXT-14")
def test_the_short_fields_weigh_as_the_reference_says(document: Document) -> None:
    record, counts = ANALYSIS.prepare(document, b"")
    pieces = chunk(
        document.text, size_tokens=24, overlap_tokens=6, keeps_whole=document.kind == "fact"
    )
    assert record.chunks == len(pieces) == len(counts)
    spans = array("I", record.spans)
    for number, (piece, terms) in enumerate(zip(pieces, counts, strict=True)):
        headings = list(piece.headings)
        if headings[:1] == [document.title]:
            del headings[0]  # named once is enough
        fields = (document.title, document.name, document.description, "\n".join(headings))
        text = document.text[piece.start : piece.end]
        expected = weigh(
            ANALYZER.counts(text, record.language),
            [ANALYZER.counts(field, record.language) for field in fields],
        )
        assert expected == terms
        start, end, first, last, length, checksum = spans[number * SPAN : (number + 1) * SPAN]
        assert (start, end, first, last) == (
            piece.start, piece.end, piece.first_line, piece.last_line,
        )  # fmt: skip
        assert (length, checksum) == (sum(terms.values()), zlib.crc32(text.encode()))


def test_a_frequency_and_a_length_have_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_module, "MAX_CHUNK_LENGTH_TERMS", 300)
    large = Analysis(ANALYZER, 8_000, 0)
    for many, counted, length in ((255, 255, 256), (256, 255, 256), (100, 100, 101)):
        document = Document("a", "document", "a.md", "ha " * many + "other", "")
        record, counts = large.prepare(document, b"")
        assert [{"ha": counted, "other": 1}] == counts
        assert length == array("I", record.spans)[4]
    varied = Document("a", "document", "a.md", " ".join(f"w{n}x" for n in range(400)), "")
    record, counts = large.prepare(varied, b"")
    assert 400 == len(counts[0])
    assert 300 == array("I", record.spans)[4]


def test_sections_share_no_words_but_those_of_the_document() -> None:
    text = "# Top\n" + "plain words of it\n" * 5 + "\n# Other\n" + "further words here\n" * 5
    document = Document("a", "document", "a.md", text, "Top", "name-of-it", "What it says")
    _, counts = ANALYSIS.prepare(document, b"")
    have = Counter(term for terms in counts for term in terms)
    assert len(counts) > 2
    assert {len(counts)} == {have[term] for term in ("top", "name", "say")}
    assert 0 < have["other"] < len(counts)
