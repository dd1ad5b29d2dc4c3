"""What the embedded provider does beside the protocol: pieces, containers, merges, damage."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from holdfact.core.errors import HoldfactError, StoreCorrupt
from holdfact.engine.storage import sqlite as sqlite_module
from holdfact.engine.storage.base import Cut
from holdfact.engine.storage.pieces import PieceBuilder, decode, encode
from holdfact.engine.storage.sqlite import SqliteStorage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

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
    with pytest.raises(StoreCorrupt, match="can't be decoded"):
        storage.text(document)
    with pytest.raises(StoreCorrupt, match="belongs to no document"):
        storage.locate([document + 7])
    storage.close()


def test_how_sources_look_is_told_cheaply(contract: Contract, embedded: SqliteStorage) -> None:
    """The question of every call: one that must be read again looks like nothing on a disk."""
    for key, kind in (("b.md", "document"), ("a.md", "document"), ("project/a", "fact")):
        record, chunks, stamp = contract.put(key, "one", kind=kind)
        look = stamp._replace(path=f"/p/{key}", size=1, mtime_ns=2, ctime_ns=3, inode=4)
        embedded.write([(record, chunks, look._replace(is_racy=int(key == "a.md")))])
    assert [("/p/a.md", 1, 2, 3, None), ("/p/b.md", 1, 2, 3, 4)] == embedded.looks("document")
    assert [("project/a", "/p/project/a", 1, 2, 3, 4)] == embedded.looks("fact")
    assert (1, 2, 3, 4) == embedded.look("fact", "project/a") == embedded.look("document", "a.md")
    assert embedded.look("document", "project/a") is None
    assert [] == embedded.failures()


def test_what_a_store_was_built_with_is_kept(
    contract: Contract, opened: Callable[[], SqliteStorage]
) -> None:
    first = opened()
    assert ("", False) == (first.identity(), first.is_complete())
    first.set_identity("layout=1")
    first.set_identity("layout=2")
    first.write([contract.put("a.md", "one")])
    first.merge()
    assert not first.is_complete()
    first.merge(complete=True)
    first.close()
    second = opened()
    assert ("layout=2", True) == (second.identity(), second.is_complete())
    second.merge()
    assert ("layout=2", True) == (second.identity(), second.is_complete())
    second.close()


def test_a_merge_removes_and_notes_in_its_own_commit(
    contract: Contract, embedded: SqliteStorage
) -> None:
    embedded.write([contract.put("a.md", "one"), contract.put("b.md", "one")])
    failed = contract.put("a.md")[2]._replace(reason="binary")
    before = embedded.revision()
    embedded.merge(removes=[("document", "a.md")], stamps=[failed])
    assert before + 1 == embedded.revision()
    assert ["b.md"] == found(embedded, "one")
    assert failed == embedded.stamps()[0]


def test_a_store_takes_what_it_takes_on_the_disk(
    contract: Contract, embedded: SqliteStorage, tmp_path: Path
) -> None:
    embedded.write([contract.put("a.md", "one two three " * 500)])
    sizes = [path.stat().st_size for path in tmp_path.iterdir() if not path.name.endswith("-shm")]
    assert sum(sizes) == embedded.statistics().bytes


def test_a_reader_never_writes(contract: Contract, embedded: SqliteStorage) -> None:
    embedded.write([contract.put("a.md", "one")])
    reader = SqliteStorage(embedded.path, contract.recount, read_only=True)
    with pytest.raises(HoldfactError):
        reader.write([contract.put("b.md", "one")])
    assert ["a.md"] == found(reader, "one")
    reader.close()


def test_lengths_of_merged_chunks_stay_right_when_ranges_grow(
    contract: Contract, embedded: SqliteStorage
) -> None:
    """A chunk's length stands in a row of its range: rows grow, and a hole in them is no chunk."""
    for turn, words in enumerate((5, 1, 9)):
        embedded.write([contract.put(f"{turn}-{n}.md", "one " * words, "x") for n in range(3)])
        embedded.write([], removes=[("document", f"{turn}-1.md")])
        embedded.merge()
        scores = dict(embedded.lexical(["one"], 99, cut=NO_CUT))
        fresh = embedded.scores(["one"], list(scores))
        assert scores == fresh
        assert turn + 1 == len(set(scores.values()))
        assert 2 * (turn + 1) == len(scores)
