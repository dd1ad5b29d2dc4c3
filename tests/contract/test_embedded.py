"""What the embedded provider does beside the protocol: pieces, containers, merges, damage."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from holdfact.core.errors import StoreCorrupt
from holdfact.engine.storage import sqlite as sqlite_module
from holdfact.engine.storage.base import Cut
from holdfact.engine.storage.pieces import PieceBuilder, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from holdfact.engine.storage.sqlite import SqliteStorage
    from tests.contract.conftest import Contract

pytestmark = pytest.mark.requirement("SPEC-ENG-02")
NO_CUT = Cut(0.0, 0.0)
NUMBERS = itertools.count()


def found(storage: SqliteStorage, *terms: str, k: int = 50) -> list[str]:
    """The keys of the documents of the best chunks."""
    hits = storage.lexical(terms, k, cut=NO_CUT)
    return [at.record.key for at in storage.locate([hit.chunk for hit in hits])]


def hold(storage: SqliteStorage, puts: Sequence[Any]) -> None:
    """Let documents wait for a merge."""
    builder = PieceBuilder()
    for one in puts:
        assert builder.has_room(len(one[1]))
        builder.add(*one)
    storage.hold([builder.finish()], next(NUMBERS))


def test_held_pieces_are_found_only_after_the_merge(
    contract: Contract, embedded: SqliteStorage
) -> None:
    embedded.write([contract.put("a.md", "one")])
    hold(embedded, [contract.put("b.md", "one"), contract.put("a.md", "two"), contract.put("c.md")])
    assert found(embedded, "one") == ["a.md"]
    assert embedded.has_held()
    embedded.merge(complete=True)
    assert not embedded.has_held()
    assert embedded.is_complete()
    assert found(embedded, "one") == ["b.md"]
    assert found(embedded, "two") == ["a.md"]
    assert embedded.statistics().documents == 3


def test_what_was_indexed_is_known_by_its_digest(
    contract: Contract, embedded: SqliteStorage
) -> None:
    record, chunks, stamp = contract.put("a.md", "one two")
    embedded.write([(record, chunks, stamp), contract.put("b.md", "other")])
    assert record.sha256 == embedded.digest(embedded.document("document", "a.md") or 0)


def test_tasks_are_merged_in_their_order_whatever_came_first(
    contract: Contract, opened: Callable[[], SqliteStorage]
) -> None:
    """Two processes finish in any order; the same sources give the same ids."""
    for is_same_process in (True, False):
        storage = opened()
        for number, key in ((2, "c"), (0, "a"), (1, "b")):
            builder = PieceBuilder()
            builder.add(*contract.put(key, "one", str(is_same_process)))
            storage.hold([builder.finish()], number)
        if not is_same_process:
            storage.close()
            storage = opened()
        storage.merge()
        assert ["a", "b", "c"] == found(storage, "one")
        assert ["a", "b", "c"] == found(storage, str(is_same_process))
        storage.close()


def test_a_source_that_a_bulk_write_passes_over_is_no_longer_found(
    contract: Contract, embedded: SqliteStorage
) -> None:
    embedded.write([contract.put("a.md", "one"), contract.put("b.md", "one")])
    builder = PieceBuilder()
    failed = contract.put("a.md")[2]._replace(reason="binary")
    builder.skip(failed)
    builder.add(*contract.put("c.md", "one"))
    embedded.hold([builder.finish()], 0)
    embedded.merge()
    assert ["b.md", "c.md"] == found(embedded, "one")
    assert [failed] == embedded.failures()
    assert failed == embedded.stamps()[0]


def test_documents_written_one_by_one_are_merged_when_many_wait(
    contract: Contract, embedded: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question visits every young document, so few may wait; a removed one waits, too."""
    monkeypatch.setattr(sqlite_module, "DELTA_CHUNKS", 3)
    monkeypatch.setattr(sqlite_module, "DELTA_SHARE", 0.5)

    def terms() -> int:
        return embedded.statistics().terms

    embedded.write([contract.put("a", "w1", "w1", "w1")])
    assert 0 == terms()
    embedded.write([contract.put("b", "w2")])
    assert 2 == terms()
    embedded.write([contract.put(f"c{n}", "w3") for n in range(8)])
    assert 3 == terms()
    # Of twelve chunks six may wait: the three of `a` that are gone, and three new ones.
    embedded.write([contract.put(f"d{n}", "w4") for n in range(3)], removes=[("document", "a")])
    assert 3 == terms()
    embedded.write([contract.put("d3", "w4")])
    assert ["w2", "w3", "w4"] == [
        word for word in ("w1", "w2", "w3", "w4") if found(embedded, word)
    ]
    assert 3 == terms()


def test_pieces_survive_another_process(
    contract: Contract, opened: Callable[[], SqliteStorage]
) -> None:
    first = opened()
    hold(first, [contract.put("a.md", "one")])
    first.close()
    second = opened()
    second.merge(removes=[("document", "none")])
    assert not second.has_held()
    assert found(second, "one") == ["a.md"]
    second.close()


def test_a_damaged_piece_is_refused(contract: Contract) -> None:
    builder = PieceBuilder()
    builder.add(*contract.put("a.md", "one"))
    data = encode(builder.finish())
    with pytest.raises(StoreCorrupt):
        decode(data, 1)


def test_more_chunks_than_a_container(contract: Contract, embedded: SqliteStorage) -> None:
    """Containers of 65,536 chunk ids: documents cross none, terms span several."""
    many = contract.put("many.md", *(["often"] * 40_000))
    for key in ("first", "second", "third"):
        hold(embedded, [contract.put(f"{key}.md", f"often rare {key}", "rare")])
        hold(embedded, [(many[0]._replace(key=key), many[1], many[2]._replace(key=key))])
    embedded.merge()
    assert {"first.md", "second.md", "third.md"} == set(found(embedded, "rare"))
    assert len(found(embedded, "rare")) == 6
    assert found(embedded, "third") == ["third.md"]
    assert len(embedded.matching(["often", "rare"], 9)) == 3
    embedded.write([contract.put("first.md", "often other"), contract.put("fourth.md", "rare")])
    embedded.merge(removes=[("document", "second")])
    assert {"second.md", "third.md", "fourth.md"} == set(found(embedded, "rare"))
    assert embedded.matching(["often", "other"], 9) != []
    assert embedded.statistics().chunks == 40_000 * 2 + 1 + 2 + 2 + 1
    best = embedded.lexical(["often"], 1, cut=NO_CUT)
    assert len(best) == 80_000  # all of them tie


def test_damage_is_named(
    contract: Contract, opened: Callable[[], SqliteStorage], tmp_path: Path
) -> None:
    storage = opened()
    storage.write([contract.put("a.md", "one")])
    storage.close()
    raw = apsw.Connection(str(tmp_path / "s.db"))
    raw.execute("UPDATE body SET text = x'00'")
    raw.execute("UPDATE document SET chunks = 0")
    raw.close()
    storage = opened()
    document = storage.document("document", "a.md") or 0
    with pytest.raises(StoreCorrupt, match="text of document"):
        storage.text(document)
    with pytest.raises(StoreCorrupt, match="belongs to no document"):
        storage.locate([document + 7])
    storage.close()
