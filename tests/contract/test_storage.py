"""What every provider must do beside ranking."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from holdfact.core.errors import StoreCorrupt
from holdfact.engine.storage.base import Cut
from holdfact.engine.storage.pieces import PieceBuilder, decode, encode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfact.engine.storage.sqlite import SqliteStorage
    from tests.contract.conftest import Contract, Provider

pytestmark = pytest.mark.requirement("SPEC-ENG-02")
NO_CUT = Cut(0.0, 0.0)
NUMBERS = itertools.count()


def found(storage: SqliteStorage, *terms: str, k: int = 50) -> list[str]:
    hits = storage.lexical(terms, k, cut=NO_CUT)
    return [at.record.key for at in storage.locate([hit.chunk for hit in hits])]


def hold(storage: SqliteStorage, puts: Sequence[Any]) -> None:
    builder = PieceBuilder()
    for one in puts:
        assert builder.has_room(len(one[1]))
        builder.add(*one)
    storage.hold([builder.finish()], next(NUMBERS))


def test_a_document_comes_back_as_it_was(contract: Contract, storage: SqliteStorage) -> None:
    record, chunks, stamp = contract.put("a.md", "one two", "three")
    storage.write([(record, chunks, stamp)])
    document = storage.document("document", "a.md")
    assert document is not None
    assert storage.text(document) == "one two\nthree"
    assert storage.digest(document) == record.sha256
    (at,) = storage.locate([document + 1])
    assert (at.document, at.ordinal) == (document, 1)
    assert at.record == record._replace(body=b"")
    assert storage.stamps() == [stamp._replace(document=document)]
    assert storage.document("fact", "a.md") is None


def test_ids_are_never_used_again(contract: Contract, storage: SqliteStorage) -> None:
    seen: list[int] = []
    for turn in range(4):
        storage.write([contract.put("a.md", "one", "two")])
        document = storage.document("document", "a.md")
        assert document is not None
        seen += (document, document + 1)
        if turn == 1:
            storage.merge()
        storage.write([], removes=[("document", "a.md"), ("document", "none.md")])
    assert len(set(seen)) == len(seen)


def test_a_write_is_whole_or_nothing(contract: Contract, storage: SqliteStorage) -> None:
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
    contract: Contract, provider: Provider, tmp_path: Path, storage: SqliteStorage
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


def test_held_pieces_are_found_only_after_the_merge(
    contract: Contract, storage: SqliteStorage
) -> None:
    storage.write([contract.put("a.md", "one")])
    hold(storage, [contract.put("b.md", "one"), contract.put("a.md", "two"), contract.put("c.md")])
    assert found(storage, "one") == ["a.md"]
    assert storage.has_held()
    storage.merge(complete=True)
    assert not storage.has_held()
    assert storage.is_complete()
    assert found(storage, "one") == ["b.md"]
    assert found(storage, "two") == ["a.md"]
    assert storage.statistics().documents == 3


def test_pieces_survive_another_process(
    contract: Contract, provider: Provider, tmp_path: Path
) -> None:
    first = provider.open(tmp_path)
    hold(first, [contract.put("a.md", "one")])
    first.close()
    second = provider.open(tmp_path)
    second.merge(removes=[("document", "none")])
    assert found(second, "one") == ["a.md"]
    second.close()


def test_a_damaged_piece_is_refused(contract: Contract) -> None:
    builder = PieceBuilder()
    builder.add(*contract.put("a.md", "one"))
    data = encode(builder.finish())
    with pytest.raises(StoreCorrupt):
        decode(data, 1)


def test_filters_see_stamps(contract: Contract, storage: SqliteStorage) -> None:
    storage.write([contract.put("a.md", "one"), contract.put("b.md", "one one")])
    hits = storage.lexical(["one"], 9, cut=NO_CUT, only=lambda stamp: stamp.key == "a.md")
    assert [at.record.key for at in storage.locate([hit.chunk for hit in hits])] == ["a.md"]
    assert storage.lexical(["one"], 9, cut=NO_CUT, only=lambda _: False) == []


def test_matching_is_all_terms_in_the_order_of_ids(
    contract: Contract, storage: SqliteStorage
) -> None:
    storage.write([contract.put(f"{n}.md", "one two" if n % 2 else "one") for n in range(10)])
    storage.merge()
    storage.write([contract.put("10.md", "two one"), contract.put("1.md", "none")])
    keys = [at.record.key for at in storage.locate(storage.matching(["one", "two"], 9))]
    assert keys == ["3.md", "5.md", "7.md", "9.md", "10.md"]
    assert len(storage.matching(["one", "two"], 2)) == 2
    assert storage.matching(["one", "unknown"], 9) == []
    assert storage.matching([], 9) == []


def test_scores_of_given_chunks(contract: Contract, storage: SqliteStorage) -> None:
    storage.write([contract.put("a.md", "one"), contract.put("b.md", "two")])
    hits = storage.lexical(["one"], 9, cut=NO_CUT)
    a = storage.document("document", "a.md") or 0
    b = storage.document("document", "b.md") or 0
    assert storage.scores(["one"], [a, b]) == {a: hits[0].score, b: 0.0}


def test_frequencies_are_capped(contract: Contract, storage: SqliteStorage) -> None:
    record, _, stamp = contract.put("a.md", "x")
    storage.write([(record, [{"x": 300}], stamp)])
    many = storage.lexical(["x"], 9, cut=NO_CUT)
    storage.write([(record, [{"x": 255}], stamp)])
    assert [hit.score for hit in storage.lexical(["x"], 9, cut=NO_CUT)] == [many[0].score]
    builder = PieceBuilder()
    builder.add(record, [{"x": 300}], stamp)
    storage.hold([builder.finish()], 0)
    storage.merge()
    assert [hit.score for hit in storage.lexical(["x"], 9, cut=NO_CUT)] == [many[0].score]


def test_coverage_cuts_what_has_only_the_common_word(
    contract: Contract, storage: SqliteStorage
) -> None:
    storage.write([contract.put(f"{n}.md", "common") for n in range(30)])
    cut = Cut(0.0, 0.1)
    assert storage.lexical(["common", "u1", "u2", "u3"], 9, cut=cut) == []
    readings = (((("common",)), ("u1",)), (("common",), ("u1",), ("u2",), ("u3",)))
    assert storage.lexical(["common", "u1"], 9, cut=Cut(0.0, 0.1, readings)) != []


def test_more_chunks_than_a_container(contract: Contract, storage: SqliteStorage) -> None:
    """Containers of 65,536 chunk ids: documents cross none, terms span several."""
    many = contract.put("many.md", *(["often"] * 40_000))
    for key in ("first", "second", "third"):
        hold(storage, [contract.put(f"{key}.md", f"often rare {key}", "rare")])
        hold(storage, [(many[0]._replace(key=key), many[1], many[2]._replace(key=key))])
    storage.merge()
    assert {"first.md", "second.md", "third.md"} == set(found(storage, "rare"))
    assert len(found(storage, "rare")) == 6
    assert found(storage, "third") == ["third.md"]
    assert len(storage.matching(["often", "rare"], 9)) == 3
    storage.write([contract.put("first.md", "often other"), contract.put("fourth.md", "rare")])
    storage.merge(removes=[("document", "second")])
    assert {"second.md", "third.md", "fourth.md"} == set(found(storage, "rare"))
    assert storage.matching(["often", "other"], 9) != []
    assert storage.statistics().chunks == 40_000 * 2 + 1 + 2 + 2 + 1
    best = storage.lexical(["often"], 1, cut=NO_CUT)
    assert len(best) == 80_000  # all of them tie


def test_terms_come_and_go(contract: Contract, storage: SqliteStorage) -> None:
    """A term grows out of its row, shrinks to nothing, and comes back."""
    for _ in range(2):
        for n in range(20):
            storage.write([contract.put(f"{n}.md", "word", f"own{n}")])
            storage.merge()
        assert len(found(storage, "word")) == 20
        for n in range(20):
            storage.write([], removes=[("document", f"{n}.md")])
            if n % 3:
                storage.merge()
            assert len(found(storage, "word")) == 19 - n
        storage.merge()
        assert storage.statistics().terms == 0


def test_damage_is_named(contract: Contract, provider: Provider, tmp_path: Path) -> None:
    storage = provider.open(tmp_path)
    storage.write([contract.put("a.md", "one")])
    storage.close()
    raw = apsw.Connection(str(tmp_path / "s.db"))
    raw.execute("UPDATE body SET text = x'00'")
    raw.execute("UPDATE document SET chunks = 0")
    raw.close()
    storage = provider.open(tmp_path)
    document = storage.document("document", "a.md") or 0
    with pytest.raises(StoreCorrupt, match="text of document"):
        storage.text(document)
    with pytest.raises(StoreCorrupt, match="belongs to no document"):
        storage.locate([document + 7])
    storage.close()
