"""What every provider must do beside ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from holdfact.engine.storage.base import Cut

if TYPE_CHECKING:
    from pathlib import Path

    from holdfact.engine.storage.base import Storage
    from tests.contract.conftest import Contract, Provider

pytestmark = pytest.mark.requirement("SPEC-ENG-02")
NO_CUT = Cut(0.0, 0.0)


def found(storage: Storage, *terms: str, k: int = 50) -> list[str]:
    """The keys of the documents of the best chunks."""
    hits = storage.lexical(terms, k, cut=NO_CUT)
    return [at.record.key for at in storage.locate([hit.chunk for hit in hits])]


def test_a_document_comes_back_as_it_was(contract: Contract, storage: Storage) -> None:
    record, chunks, stamp = contract.put("a.md", "one two", "three")
    storage.write([(record, chunks, stamp)])
    document = storage.document("document", "a.md")
    assert document is not None
    assert storage.text(document) == "one two\nthree"
    (at,) = storage.locate([document + 1])
    assert (at.document, at.ordinal) == (document, 1)
    assert at.record == record._replace(body=b"")
    assert storage.stamps() == [stamp._replace(document=document)]
    assert storage.document("fact", "a.md") is None


def test_ids_are_never_used_again(contract: Contract, provider: Provider, storage: Storage) -> None:
    seen: list[int] = []
    for turn in range(4):
        storage.write([contract.put("a.md", "one", "two")])
        document = storage.document("document", "a.md")
        assert document is not None
        seen += (document, document + 1)
        if turn == 1:
            provider.settle(storage)
        storage.write([], removes=[("document", "a.md"), ("document", "none.md")])
    assert len(set(seen)) == len(seen)


def test_a_write_is_whole_or_nothing(contract: Contract, storage: Storage) -> None:
    storage.write([contract.put("a.md", "one")])
    before = storage.revision()

    def puts() -> Any:  # noqa: ANN401 - what `write` takes
        yield contract.put("a.md", "two")
        yield contract.put("b.md", "two")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        storage.write(puts(), removes=[("document", "a.md")])
    assert found(storage, "one") == ["a.md"]
    assert found(storage, "two") == []
    assert storage.revision() == before


def test_a_snapshot_is_one_revision(
    contract: Contract, provider: Provider, tmp_path: Path, storage: Storage
) -> None:
    storage.write([contract.put("a.md", "one")])
    reader = provider.open(tmp_path)
    with reader.snapshot():
        assert found(reader, "one") == ["a.md"]
        revision = reader.revision()
        storage.write([contract.put("b.md", "one")], removes=[("document", "a.md")])
        assert found(reader, "one") == ["a.md"]
        assert reader.revision() == revision
    with reader.snapshot():
        assert found(reader, "one") == ["b.md"]
        assert reader.revision() > revision
    reader.close()


def test_filters_see_stamps(contract: Contract, storage: Storage) -> None:
    storage.write([contract.put("a.md", "one"), contract.put("b.md", "one one")])
    hits = storage.lexical(["one"], 9, cut=NO_CUT, only=lambda stamp: stamp.key == "a.md")
    assert [at.record.key for at in storage.locate([hit.chunk for hit in hits])] == ["a.md"]
    assert storage.lexical(["one"], 9, cut=NO_CUT, only=lambda _: False) == []


def test_matching_is_all_terms_in_the_order_of_ids(
    contract: Contract, provider: Provider, storage: Storage
) -> None:
    storage.write([contract.put(f"{n}.md", "one two" if n % 2 else "one") for n in range(10)])
    provider.settle(storage)
    storage.write([contract.put("10.md", "two one"), contract.put("1.md", "none")])
    keys = [at.record.key for at in storage.locate(storage.matching(["one", "two"], 9))]
    assert keys == ["3.md", "5.md", "7.md", "9.md", "10.md"]
    assert len(storage.matching(["one", "two"], 2)) == 2
    assert storage.matching(["one", "unknown"], 9) == []
    assert storage.matching([], 9) == []


def test_scores_of_given_chunks(contract: Contract, storage: Storage) -> None:
    storage.write([contract.put("a.md", "one"), contract.put("b.md", "two")])
    hits = storage.lexical(["one"], 9, cut=NO_CUT)
    a = storage.document("document", "a.md") or 0
    b = storage.document("document", "b.md") or 0
    assert storage.scores(["one"], [a, b]) == {a: hits[0].score, b: 0.0}


def test_frequencies_are_capped(contract: Contract, provider: Provider, storage: Storage) -> None:
    record, _, stamp = contract.put("a.md", "x")
    storage.write([(record, [{"x": 300}], stamp)])
    many = storage.lexical(["x"], 9, cut=NO_CUT)
    storage.write([(record, [{"x": 255}], stamp)])
    assert [hit.score for hit in storage.lexical(["x"], 9, cut=NO_CUT)] == [many[0].score]
    provider.bulk(storage, [(record, [{"x": 300}], stamp)])
    assert [hit.score for hit in storage.lexical(["x"], 9, cut=NO_CUT)] == [many[0].score]


def test_coverage_cuts_what_has_only_the_common_word(contract: Contract, storage: Storage) -> None:
    storage.write([contract.put(f"{n}.md", "common") for n in range(30)])
    cut = Cut(0.0, 0.1)
    assert storage.lexical(["common", "u1", "u2", "u3"], 9, cut=cut) == []
    readings = (((("common",)), ("u1",)), (("common",), ("u1",), ("u2",), ("u3",)))
    assert storage.lexical(["common", "u1"], 9, cut=Cut(0.0, 0.1, readings)) != []


def test_terms_come_and_go(contract: Contract, provider: Provider, storage: Storage) -> None:
    """A term grows out of its row, shrinks to nothing, and comes back."""
    for _ in range(2):
        for n in range(20):
            storage.write([contract.put(f"{n}.md", "word", f"own{n}")])
            provider.settle(storage)
        assert len(found(storage, "word")) == 20
        for n in range(20):
            storage.write([], removes=[("document", f"{n}.md")])
            if n % 3:
                provider.settle(storage)
            assert len(found(storage, "word")) == 19 - n
        provider.settle(storage)
        assert storage.statistics().terms == 0


def test_a_key_of_a_fact_and_one_of_a_document_are_two(
    contract: Contract, storage: Storage
) -> None:
    storage.write([contract.put("a", "one"), contract.put("a", "one two", kind="fact")])
    assert storage.document("fact", "a") != storage.document("document", "a")
    assert storage.statistics()[:3] == (2, 1, 2)
    storage.write([], removes=[("document", "a")])
    assert [(stamp.kind, stamp.key) for stamp in storage.stamps()] == [("fact", "a")]
    assert storage.statistics()[:3] == (1, 1, 1)
    assert found(storage, "one") == ["a"]


def test_what_is_removed_and_put_in_one_write_is_there(
    contract: Contract, storage: Storage
) -> None:
    storage.write([contract.put("a.md", "one")])
    storage.write([contract.put("a.md", "two")], removes=[("document", "a.md")])
    assert (found(storage, "one"), found(storage, "two")) == ([], ["a.md"])
    storage.write([contract.put("a.md", "three"), contract.put("a.md", "four")])
    assert (found(storage, "three"), found(storage, "four")) == ([], ["a.md"])
    assert storage.statistics().documents == 1


def test_a_source_that_was_passed_over_is_known_and_not_found(
    contract: Contract, provider: Provider, storage: Storage
) -> None:
    _, _, stamp = contract.put("b.md")
    failed = stamp._replace(reason="binary")
    storage.write([contract.put("a.md", "one")], stamps=[failed])
    assert storage.stamps()[1] == failed
    assert storage.document("document", "b.md") is None
    assert storage.statistics().documents == 1
    provider.settle(storage)
    storage.write([contract.put("b.md", "one")])
    good = storage.stamps()[1]
    assert (good.reason, good.document) == ("", storage.document("document", "b.md"))
    storage.write([], removes=[("document", "b.md")], stamps=[failed])
    assert storage.stamps()[1] == failed
    assert found(storage, "one") == ["a.md"]


def test_a_stamp_alone_says_how_a_source_looks_now(contract: Contract, storage: Storage) -> None:
    storage.write([contract.put("a.md", "one")])
    (stamp,) = storage.stamps()
    touched = stamp._replace(size=9, mtime_ns=2**62, ctime_ns=2**62 + 1, inode=2**62, is_racy=1)
    storage.write([], stamps=[touched])
    assert storage.stamps() == [touched]
    assert found(storage, "one") == ["a.md"]


def test_stamps_are_ordered_by_kind_and_key(contract: Contract, storage: Storage) -> None:
    for key in ("b", "é", "B", "a/b", "a", "漢"):
        storage.write([contract.put(key, "one"), contract.put(key, "one", kind="fact")])
    keys = sorted(["b", "é", "B", "a/b", "a", "漢"])
    assert [("document", key) for key in keys] + [("fact", key) for key in keys] == [
        (stamp.kind, stamp.key) for stamp in storage.stamps()
    ]


def test_languages_are_those_of_live_documents(
    contract: Contract, provider: Provider, storage: Storage
) -> None:
    storage.write([contract.put("a", "x", language="german"), contract.put("b", "x")])
    storage.write([contract.put("c", "x", language="english")])
    storage.write([contract.put("d", "x", language="german")])
    assert storage.languages() == ["", "english", "german"]
    storage.write([contract.put("a", "x")], removes=[("document", "c")])
    assert storage.languages() == ["", "german"]
    provider.bulk(storage, [contract.put("d", "x", language="french")])
    assert storage.languages() == ["", "french"]


def test_the_revision_grows_with_every_commit_and_with_nothing_else(
    contract: Contract, storage: Storage
) -> None:
    seen = [storage.revision()]
    storage.write([contract.put("a.md", "one")])
    seen.append(storage.revision())
    storage.lexical(["one"], 3, cut=NO_CUT)
    assert storage.revision() == seen[-1]
    storage.write([], stamps=storage.stamps())
    seen.append(storage.revision())
    storage.write([], removes=[("document", "a.md")])
    seen.append(storage.revision())
    assert sorted(set(seen)) == seen


def test_what_was_written_is_there_when_it_is_opened_again(
    contract: Contract, provider: Provider, tmp_path: Path
) -> None:
    first = provider.open(tmp_path)
    first.write([contract.put("a.md", "one two"), contract.put("b.md", "one")])
    provider.settle(first)
    first.write([contract.put("c.md", "one")], removes=[("document", "b.md")])
    expected = (first.stamps(), first.statistics()[:4], first.revision(), first.languages())
    hits = first.lexical(["one"], 9, cut=NO_CUT)
    first.close()
    second = provider.open(tmp_path)
    again = (second.stamps(), second.statistics()[:4], second.revision(), second.languages())
    assert expected == again
    assert hits == second.lexical(["one"], 9, cut=NO_CUT)
    second.close()


def test_an_empty_store_finds_nothing(storage: Storage) -> None:
    assert storage.stamps() == []
    assert storage.languages() == []
    assert storage.statistics()[:4] == (0, 0, 0, 0)
    assert storage.document("document", "a.md") is None
    assert storage.lexical(["one"], 3, cut=NO_CUT) == []
    assert storage.lexical(["one"], 3, cut=NO_CUT, only=lambda _: True) == []
    assert storage.lexical([], 3, cut=NO_CUT) == []
    assert storage.matching(["one"], 3) == []
    assert storage.scores(["one"], []) == {}
    assert storage.locate([]) == []


def test_chunks_are_located_in_the_order_asked_for(contract: Contract, storage: Storage) -> None:
    storage.write([contract.put("a.md", "one", "two", "three"), contract.put("empty.md")])
    storage.write([contract.put("b.md", "one", "two")])
    a, empty, b = (storage.document("document", key) or 0 for key in ("a.md", "empty.md", "b.md"))
    asked = [b + 1, a, empty, a + 2, b, a + 1]
    expected = [("b.md", 1), ("a.md", 0), ("empty.md", 0), ("a.md", 2), ("b.md", 0), ("a.md", 1)]
    located = storage.locate(asked)
    assert expected == [(at.record.key, at.ordinal) for at in located]
    assert asked == [at.document + at.ordinal for at in located]
    assert storage.text(empty) == ""


def test_a_filter_holds_for_chunks_with_every_term(
    contract: Contract, provider: Provider, storage: Storage
) -> None:
    storage.write([contract.put(f"{n}.md", "one", "two one") for n in range(6)])
    provider.settle(storage)
    storage.write([contract.put("6.md", "one two"), contract.put("1.md", "one")])
    chunks = storage.matching(["two", "one"], 9, only=lambda stamp: stamp.key in {"1.md", "6.md"})
    assert [at.record.key for at in storage.locate(chunks)] == ["6.md"]
    chunks = storage.matching(["two", "one"], 2, only=lambda stamp: stamp.key > "1.md")
    assert [at.record.key for at in storage.locate(chunks)] == ["2.md", "3.md"]


@pytest.mark.parametrize(
    ("coverage", "terms", "expected"),
    [
        # A word of all texts, one of a single text, and words that nobody has.
        (0.0, ["common", "u1", "u2"], 31),
        (0.9, ["common"], 31),
        (0.14, ["common", "u1"], 31),
        (0.15, ["common", "u1"], 0),
        (0.5, ["common", "rare"], 1),
        (0.1, ["common", "rare"], 31),
        (0.9, ["common", "rare"], 1),
        (0.5, ["rare", "u1"], 0),
        (0.4, ["rare", "u1"], 1),
        (0.3, ["rare", "u1", "u2"], 0),
        (0.2, ["rare", "u1", "u2"], 1),
    ],
)
def test_a_chunk_must_have_its_share_of_what_the_query_tells(
    contract: Contract, storage: Storage, coverage: float, terms: list[str], expected: int
) -> None:
    storage.write([contract.put(f"{n}.md", "common") for n in range(30)])
    storage.write([contract.put("rare.md", "common rare")])
    hits = storage.lexical(terms, 99, cut=Cut(0.0, coverage))
    # A rare word weighs less than one that nobody has: 3.0 and 4.1 here, the common one .7.
    assert expected == len(hits)
