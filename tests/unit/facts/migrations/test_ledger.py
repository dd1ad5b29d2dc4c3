"""The orphan ledger: added to by everyone, emptied by what is copied or gone."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from holdfact.core.errors import FileUnreadable
from holdfact.facts.migrations.ledger import Orphan, read_ledger, record_orphans
from holdfact.facts.migrations.places import Places

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "codebases").mkdir()
    return Places(str(tmp_path), "0" * 16, ())


def orphan(places: Places, name: str) -> Orphan:
    path = os.path.join(places.projects, name)
    os.makedirs(path, exist_ok=True)
    return Orphan(name, path, 2)


@pytest.mark.requirement("SPEC-MIG-6")
def test_orphans_are_added_and_leave_when_copied_or_gone(places: Places) -> None:
    one, two, three = (orphan(places, name) for name in ("1", "2", "3"))
    record_orphans(places, [two, one], [])
    record_orphans(places, [three], [])
    assert read_ledger(places.ledger) == (one, two, three)
    os.rmdir(two.path)
    record_orphans(places, [], ["3"])
    assert read_ledger(places.ledger) == (one,)


def test_nothing_to_say_writes_nothing(places: Places) -> None:
    record_orphans(places, [], ["1"])
    assert os.listdir(places.codebases) == []
    one = orphan(places, "1")
    record_orphans(places, [one], [])
    before = os.stat(places.ledger)
    record_orphans(places, [one], [])
    after = os.stat(places.ledger)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_store_that_cannot_be_looked_at_stays(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = orphan(places, "1"), orphan(places, "2")
    record_orphans(places, [one], [])
    real = os.lstat

    def lstat(path: str) -> os.stat_result:
        if path == one.path:
            raise PermissionError(13, "no")
        return real(path)

    monkeypatch.setattr(os, "lstat", lstat)
    record_orphans(places, [two], [])
    assert read_ledger(places.ledger) == (one, two)


@pytest.mark.parametrize(
    "record",
    [
        [],
        {"version": 2, "stores": []},
        {"version": 1},
        {"version": 1, "stores": None},
        {"version": 1, "stores": [5]},
        {"version": 1, "stores": [{"hash": "1"}]},
        {"version": 1, "stores": [{"hash": 1, "path": "/a", "facts": 1}]},
        {"version": 1, "stores": [{"hash": "1", "path": "/a", "facts": "1"}]},
    ],
)
def test_a_ledger_that_cannot_be_used_is_empty(places: Places, record: object) -> None:
    with open(places.ledger, "w", encoding="utf-8") as file:
        json.dump(record, file)
    assert read_ledger(places.ledger) == ()


def test_an_unreadable_ledger_is_not_replaced(places: Places) -> None:
    os.mkdir(places.ledger)
    with pytest.raises(FileUnreadable):
        record_orphans(places, [orphan(places, "1")], [])
