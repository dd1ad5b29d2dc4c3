"""SQLite is opened one way."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import apsw
import pytest

from holdfact.core import sqlite
from holdfact.core.errors import (
    EngineUnavailable,
    FileUnwritable,
    HoldfactError,
    StoreBusy,
    StoreCorrupt,
    StoreNewer,
    UsageError,
)

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("SPEC-ENG-10")
ONE = ("CREATE TABLE t (a INTEGER) STRICT; PRAGMA user_version; INSERT INTO t VALUES (1)",)
TWO = (*ONE, "INSERT INTO t VALUES (2)")


def rows(connection: apsw.Connection) -> list[int]:
    return [int(str(row[0])) for row in connection.execute("SELECT a FROM t ORDER BY a")]


def test_creates_migrates_and_keeps(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    first = sqlite.connect(path, ONE)
    assert [1] == rows(first)
    assert first.pragma("user_version") == 1
    assert first.pragma("journal_mode") == "wal"
    assert first.pragma("synchronous") == 2
    assert first.pragma("trusted_schema") == 0
    sqlite.close(first)
    second = sqlite.connect(path, TWO, durable=False)
    assert [1, 2] == rows(second)
    assert second.pragma("synchronous") == 1
    sqlite.close(second)
    third = sqlite.connect(path, TWO)
    assert [1, 2] == rows(third)
    sqlite.close(third)
    assert stat.S_IMODE((tmp_path / "s.db").stat().st_mode) == 0o600


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    sqlite.close(sqlite.connect(path, ONE))
    with pytest.raises(StoreCorrupt):
        sqlite.connect(path, (*ONE, "INSERT INTO t VALUES (2); INSERT INTO nothing VALUES (1)"))
    again = sqlite.connect(path, ONE)
    assert [1] == rows(again)
    sqlite.close(again)


def test_another_process_may_migrate_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "s.db")
    sqlite.close(sqlite.connect(path, ONE))
    versions = iter([0, 1])
    monkeypatch.setattr(sqlite, "_version", lambda _: next(versions))
    late = sqlite.connect(path, ONE)
    assert [1] == rows(late)
    sqlite.close(late)


def test_refuses_a_newer_store(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    sqlite.close(sqlite.connect(path, TWO))
    with pytest.raises(StoreNewer, match="schema 2"):
        sqlite.connect(path, ONE)
    with pytest.raises(StoreNewer):
        sqlite.connect(path, ONE, read_only=True)


def test_read_only_never_writes(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    sqlite.close(sqlite.connect(path, ONE))
    reader = sqlite.connect(path, ONE, read_only=True)
    assert [1] == rows(reader)
    with pytest.raises(FileUnwritable), sqlite.translated(path):
        reader.execute("INSERT INTO t VALUES (3)")
    sqlite.close(reader)
    with pytest.raises(EngineUnavailable, match="must be migrated"):
        sqlite.connect(path, TWO, read_only=True)
    with pytest.raises(EngineUnavailable):
        sqlite.connect(str(tmp_path / "none.db"), ONE, read_only=True)


def test_read_only_without_a_shared_memory_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a folder that can't be written does, without needing one (root may write anywhere)."""
    path = tmp_path / "a store #1?.db"
    sqlite.close(sqlite.connect(str(path), ONE))
    real = apsw.Connection

    class Refusing(real):  # type: ignore[valid-type, misc]
        def execute(self, *arguments: object, **named: object) -> apsw.Cursor:
            if arguments == ("PRAGMA schema_version",) and self.open_flags & 1 and not seen:
                seen.append(1)
                raise apsw.CantOpenError("unable to open database file")
            found: apsw.Cursor = super().execute(*arguments, **named)
            return found

    seen: list[int] = []
    monkeypatch.setattr(apsw, "Connection", Refusing)
    reader = sqlite.connect(str(path), ONE, read_only=True)
    assert [1] == rows(reader)
    sqlite.close(reader)
    seen.clear()
    (tmp_path / "a store #1?.db-wal").write_bytes(b"x" * 64)
    with pytest.raises(EngineUnavailable):
        sqlite.connect(str(path), ONE, read_only=True)


def test_damage_is_corrupt_with_a_mend(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    path.write_bytes(b"this is not a database" * 100)
    for read_only in (False, True):
        with pytest.raises(StoreCorrupt, match=r"s\.db") as caught:
            sqlite.connect(str(path), ONE, read_only=read_only)
        assert caught.value.hint.startswith("holdfact engine sync")
        assert f"deleting {path}" in caught.value.hint


@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_that_must_be_there_is_never_made(tmp_path: Path, read_only: bool) -> None:  # noqa: FBT001 - a parameter
    path = tmp_path / "s.db"
    with pytest.raises(EngineUnavailable):
        sqlite.connect(str(path), ONE, creates=False, read_only=read_only)
    assert [] == list(tmp_path.iterdir())
    path.touch()
    with pytest.raises(StoreCorrupt, match="holds no index"):
        sqlite.connect(str(path), ONE, creates=False, read_only=read_only)
    assert b"" == path.read_bytes()


def test_a_foreign_database_is_corrupt(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    store = sqlite.connect(path, ("CREATE TABLE other (a)",))
    with pytest.raises(StoreCorrupt, match="not a store"), sqlite.translated(path):
        store.execute("SELECT a FROM t")
    sqlite.close(store)


def test_busy(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    one = sqlite.connect(path, ONE)
    other = sqlite.connect(path, ONE, timeout_s=0)
    begin = sqlite.transaction(other).__enter__
    with sqlite.transaction(one), pytest.raises(StoreBusy) as caught, sqlite.translated(path):
        begin()
    assert caught.value.retryable
    sqlite.close(one)
    sqlite.close(other)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileUnwritable, match=r"s\.db: no such file"):
        sqlite.connect(str(tmp_path / "no" / "s.db"), ONE)
    with pytest.raises(EngineUnavailable):
        sqlite.connect(str(tmp_path / "no" / "s.db"), ONE, creates=False)


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "s.db")
    with pytest.raises(FileUnwritable, match=r"s\.db"):
        sqlite.connect(str(tmp_path / "s.db"), ONE)


def test_a_store_of_a_negative_schema_is_damaged(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    sqlite.connect(path, ONE).execute("PRAGMA user_version = -1")
    with pytest.raises(StoreCorrupt, match="the number -1"):
        sqlite.connect(path, ONE)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_path_that_is_no_utf8_is_refused_and_nothing_is_created(
    tmp_path: Path, *, read_only: bool
) -> None:
    with pytest.raises(EngineUnavailable, match="UTF-8") as caught:
        sqlite.connect(f"{tmp_path}/\udcff", [], read_only=read_only)
    assert "--state" in caught.value.hint
    assert [] == list(tmp_path.iterdir())


def test_a_full_disk_is_unwritable_and_changes_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    store = sqlite.connect(path, ONE)
    store.execute(f"PRAGMA max_page_count={store.pragma('page_count')}").fetchall()

    def fill() -> None:
        with sqlite.translated(path), sqlite.transaction(store):
            for number in range(2, 5_000):
                store.execute("INSERT INTO t VALUES (?)", (number,))

    with pytest.raises(FileUnwritable, match="full") as caught:
        fill()
    assert "disk space" in caught.value.hint
    assert [1] == rows(store)
    sqlite.close(store)


def test_a_transaction_is_whole_or_nothing(tmp_path: Path) -> None:
    store = sqlite.connect(str(tmp_path / "s.db"), ONE)
    with sqlite.transaction(store):
        store.execute("INSERT INTO t VALUES (2)")

    def stop() -> None:
        with sqlite.transaction(store):
            store.execute("INSERT INTO t VALUES (3)")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert [1, 2] == rows(store)
    sqlite.close(store)


def test_a_commit_that_fails_is_rolled_back(tmp_path: Path) -> None:
    store = sqlite.connect(
        str(tmp_path / "s.db"),
        ("CREATE TABLE t (a INTEGER UNIQUE, b REFERENCES t (a) DEFERRABLE INITIALLY DEFERRED)",),
    )
    with pytest.raises(apsw.ConstraintError), sqlite.transaction(store):
        store.execute("INSERT INTO t VALUES (7, 8)")
    assert not store.in_transaction
    assert rows(store) == []
    sqlite.close(store)


def test_other_errors_pass_through(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), sqlite.translated("x"):
        raise ZeroDivisionError
    with pytest.raises(UsageError), sqlite.translated("x"):
        raise UsageError("mine")
    with sqlite.translated("x"):
        assert tmp_path


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (apsw.LockedError, StoreBusy),
        (apsw.CorruptError, StoreCorrupt),
        (apsw.IOError, FileUnwritable),
        (apsw.ReadOnlyError, FileUnwritable),
        (apsw.SQLError, StoreCorrupt),
        (apsw.MisuseError, EngineUnavailable),
    ],
)
def test_each_error_has_a_class(error: type[Exception], expected: type[HoldfactError]) -> None:
    with pytest.raises(expected, match=r"s\.db"), sqlite.translated("s.db"):
        raise error("why")


def test_closing_never_fails(tmp_path: Path) -> None:
    store = sqlite.connect(str(tmp_path / "s.db"), ONE)

    class Failing:
        def close(self, force: bool) -> None:  # noqa: FBT001 - apsw's signature
            store.close(force)
            raise apsw.IOError("the disk failed")

    sqlite.close(Failing())  # type: ignore[arg-type] # it only closes
    with pytest.raises(apsw.ConnectionClosedError):
        store.execute("SELECT 1")


def test_what_is_built_alone_has_no_log_until_it_is_shared(tmp_path: Path) -> None:
    path = str(tmp_path / "s.db")
    connection = sqlite.connect(path, ONE, durable=False)
    assert connection.pragma("journal_mode") == "truncate"
    sqlite.share(connection)
    assert connection.pragma("journal_mode") == "wal"
    reader = sqlite.connect(path, ONE, read_only=True)
    sqlite.run(connection, "BEGIN IMMEDIATE; INSERT INTO t VALUES (2)")
    assert rows(reader) == [1]
    sqlite.run(connection, "COMMIT")
    assert rows(reader) == [1, 2]
    for one in (reader, connection):
        sqlite.close(one)
