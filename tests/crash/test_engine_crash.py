"""The index survives kill -9, a lost disk cache, a full disk and damage; sources are never touched.

Every fault is put before every call that SQLite makes (or a spread of them), in a real process.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
from typing import TYPE_CHECKING

import apsw
import pytest

from holdfact import Memory
from holdfact.core import clock
from holdfact.core.errors import (
    EngineUnavailable,
    FileUnwritable,
    HoldfactError,
    StoreBusy,
    StoreCorrupt,
    StoreNewer,
)
from holdfact.engine import ingest
from holdfact.engine.engine import Engine
from holdfact.engine.generations import Generations
from tests.rights import bound_by_permissions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import ModuleType

WORDS = ("walrus", "pelican", "heron", "otter")
PAGE = 4_096


def open_engine(folder: Path) -> Engine:
    return Engine.open(
        str(folder / "state"), str(folder / "docs"), sources=("**/*.md",),
        chunk_tokens=64, chunk_overlap=8, max_file_bytes=10**6,
    )  # fmt: skip


def write(folder: Path, name: str, text: str) -> None:
    (folder / "docs").mkdir(exist_ok=True)
    (folder / "docs" / name).write_text(text, encoding="utf-8")


def check(folder: Path, expected: dict[str, str]) -> None:
    """The store is whole, and a sync makes it tell what the disk holds."""
    with open_engine(folder) as engine:
        if engine.is_built:
            integrity(folder)
        engine.sync()
        for word in WORDS:
            found = {hit.id for hit in engine.search(word, 50).hits}
            assert {name for name, text in expected.items() if word in text} == found
    integrity(folder)


def integrity(folder: Path) -> None:
    for name in os.listdir(folder / "state" / "engine"):
        if name.endswith(".db"):
            connection = apsw.Connection(str(folder / "state" / "engine" / name))
            assert connection.pragma("integrity_check") == "ok"
            n, live = connection.execute(
                "SELECT (SELECT value FROM meta WHERE key = 'n'), total(chunks) FROM document"
            ).get
            assert n == live
            connection.close()


def steps(folder: Path, acknowledge: int | None = None) -> None:
    """A build and two changes; each sync that returned is acknowledged."""
    for text in ("walrus sings", "pelican dives", "heron waits"):
        write(folder, "a.md", text + "\n")
        with open_engine(folder) as engine:
            engine.sync()
        if acknowledge is not None:
            os.write(acknowledge, text.split()[0].encode() + b"\n")


def in_child(sqlite_faults: ModuleType, folder: Path, how: str, at: int, seed: int) -> bytes:
    """Run the steps in a process of its own that dies at call `at`; what it acknowledged."""
    out, into = os.pipe()
    pid = os.fork()
    if not pid:  # pragma: no cover - the child
        try:
            sqlite_faults.Faults(how, at, seed)
            steps(folder, into)
        finally:
            os._exit(0)
    os.close(into)
    acknowledged = b""
    while block := os.read(out, 65_536):
        acknowledged += block
    os.close(out)
    os.waitpid(pid, 0)
    return acknowledged


def calls_of_steps(sqlite_faults: ModuleType, folder: Path) -> int:
    faults = sqlite_faults.Faults("count", -1)
    try:
        steps(folder)
    finally:
        faults.close()
    assert faults.calls > 30
    return int(faults.calls)


@pytest.mark.requirement("SPEC-ENG-06")
@pytest.mark.parametrize("how", ["kill", "power"])
def test_killed_before_any_call_the_index_is_whole(
    sqlite_faults: ModuleType, tmp_path: Path, how: str
) -> None:
    (tmp_path / "count").mkdir()
    calls = calls_of_steps(sqlite_faults, tmp_path / "count")
    seed = 20_261_130
    # Taking unsynced writes back is the harsher death: it comes before every call.
    for at in range(1, calls + 1, 1 if how == "power" else 3):
        folder = tmp_path / f"{how}{at}"
        folder.mkdir()
        (folder / "docs").mkdir()
        write(folder, "other.md", "otter\n")
        acknowledged = in_child(sqlite_faults, folder, how, at, seed + at).split()
        if acknowledged:  # what was acknowledged is published and found without a sync
            with open_engine(folder) as engine:
                seen = {word for word in WORDS if engine.search(word, 5).hits}
                assert "otter" in seen
                assert len(seen) == 2
                order = [word.encode() for word in WORDS[:3]]
                newest = order.index((seen - {"otter"}).pop().encode())
                assert newest >= len(acknowledged) - 1, f"seed {seed + at}"
        text = (folder / "docs" / "a.md").read_text(encoding="utf-8")
        check(folder, {"a.md": text, "other.md": "otter"})
        shutil.rmtree(folder)


@pytest.mark.requirement("SPEC-ENG-06")
@pytest.mark.parametrize("how", ["full", "io"])
def test_a_failing_call_leaves_old_or_new(
    sqlite_faults: ModuleType, tmp_path: Path, how: str
) -> None:
    (tmp_path / "count").mkdir()
    calls = calls_of_steps(sqlite_faults, tmp_path / "count")
    failed: list[FileUnwritable] = []
    for at in range(1, calls + 1, 2):
        folder = tmp_path / f"{how}{at}"
        folder.mkdir()
        faults = sqlite_faults.Faults(how, at)
        try:
            steps(folder)
        except FileUnwritable as err:
            failed.append(err)
        finally:
            faults.close()
        text = (folder / "docs" / "a.md").read_text(encoding="utf-8")
        check(folder, {"a.md": text})
        shutil.rmtree(folder)
    assert failed
    assert all(err.hint for err in failed)


@pytest.mark.requirement("SPEC-ENG-06")
def test_an_interrupted_first_build_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "BULK_DOCUMENTS", 2)
    later = clock.now() + 10  # so that the files are not fresh when they are read
    monkeypatch.setattr(clock, "now", lambda: later)
    for number in range(40):
        write(tmp_path, f"d{number:02}.md", f"walrus {'otter' if number % 2 else ''}\n")
    read: list[str] = []

    def stop(done: int, _total: int, _unit: str) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    with open_engine(tmp_path) as engine:
        with pytest.raises(KeyboardInterrupt):
            engine.sync(progress=stop)
        assert not engine.is_built
    with open_engine(tmp_path) as engine:
        engine.sync(progress=lambda _done, total, _unit: read.append(str(total)))
        assert int(read[-1]) < 40
        assert engine.status().documents == 40
        assert engine.search("walrus", 3).generation == 1
        # equal texts are one hit: the first of each
        hits = {hit.id: hit.duplicates for hit in engine.search("walrus", 50).hits}
        assert hits == {"d00.md": 19, "d01.md": 19}
    integrity(tmp_path)


def test_a_writer_killed_at_random_moments_never_tears_a_reader(tmp_path: Path) -> None:
    seed = 7
    dice = random.Random(seed)  # noqa: S311 - a test's dice
    write(tmp_path, "other.md", "otter\n")
    with open_engine(tmp_path) as engine:
        engine.sync()
    for number in range(12):
        pid = os.fork()
        if not pid:  # pragma: no cover - the child
            try:
                for turn in range(1_000):
                    write(tmp_path, "a.md", f"walrus {number} {turn}\n" * (turn % 50))
                    with open_engine(tmp_path) as engine:
                        engine.sync()
            finally:
                os._exit(0)
        with open_engine(tmp_path) as reader:
            for _ in range(dice.randrange(3, 20)):
                assert [hit.id for hit in reader.search("otter", 3).hits] == ["other.md"]
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        integrity(tmp_path)


def built(folder: Path) -> Path:
    write(folder, "a.md", "walrus sings\n" * 50)
    with open_engine(folder) as engine:
        engine.sync()
    return folder / "state" / "engine" / "index-1.db"


DAMAGES = {
    "junk": lambda _: b"not a database at all " * 400,
    "empty": lambda _: b"",
    "head only": lambda data: data[:4_096],
    "half": lambda data: data[: len(data) // 2],
    "no first page": lambda data: b"\0" * 4_096 + data[4_096:],
    "no tables": lambda data: data[:4_096] + b"\0" * (len(data) - 4_096),
}


@pytest.mark.requirement("SPEC-ENG-07", "SPEC-ENG-11")
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_store_says_so_and_a_sync_builds_it_anew(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = built(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    before = path.read_bytes()
    with (
        open_engine(tmp_path) as engine,
        pytest.raises(StoreCorrupt, match=r"index-1\.db") as caught,
    ):
        engine.status()
    assert caught.value.hint.startswith("holdfact engine sync")
    assert str(path) in caught.value.hint
    assert before == path.read_bytes()
    with open_engine(tmp_path) as engine:
        report = engine.sync()
        assert (1, caught.value.message) == (report.added, report.damage)
        assert (2, None) == (engine.search("walrus", 3).generation, engine.sync().damage)
    assert not path.exists()
    check(tmp_path, {"a.md": "walrus"})


@pytest.mark.requirement("SPEC-ENG-11")
def test_damage_stays_until_what_replaces_it_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = built(tmp_path)
    path.write_bytes(b"junk" * 2_000)

    def refuse(_self: Generations, _number: int) -> None:
        raise FileUnwritable("can't write CURRENT: no space left", hint="free some disk space")

    with monkeypatch.context() as patched, open_engine(tmp_path) as engine:
        patched.setattr(Generations, "publish", refuse)
        with pytest.raises(StoreCorrupt, match="anew: can't write CURRENT") as caught:
            engine.sync()
    hint = "free some disk space; the damaged file is derived and may be deleted"
    assert hint == caught.value.hint
    assert b"junk" * 2_000 == path.read_bytes()
    assert (path.parent / "CURRENT").read_bytes() == b"index-1.db\n"
    with open_engine(tmp_path) as engine:
        engine.sync()
    check(tmp_path, {"a.md": "walrus"})


@pytest.mark.requirement("SPEC-ENG-11")
def test_killed_before_any_call_of_a_rebuild_the_next_one_ends_it(
    sqlite_faults: ModuleType, tmp_path: Path
) -> None:
    def prepare(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        built(folder).write_bytes(b"junk" * 2_000)
        return folder

    def rebuild(folder: Path) -> None:
        with open_engine(folder) as engine:
            engine.sync()

    counted = prepare("count")
    faults = sqlite_faults.Faults("count", -1)
    try:
        rebuild(counted)
    finally:
        faults.close()
    assert faults.calls > 10
    for at in range(1, faults.calls + 1, 4):
        folder = prepare(f"kill{at}")
        pid = os.fork()
        if not pid:  # pragma: no cover - the child
            try:
                sqlite_faults.Faults("kill", at)
                rebuild(folder)
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        engine = folder / "state" / "engine"
        if (engine / "CURRENT").read_bytes() == b"index-1.db\n":
            assert b"junk" * 2_000 == (engine / "index-1.db").read_bytes()
        rebuild(folder)
        check(folder, {"a.md": "walrus"})


@pytest.mark.requirement("SPEC-ENG-11")
def test_damage_that_another_process_mended_meanwhile_is_not_mended_twice(tmp_path: Path) -> None:
    path = built(tmp_path)
    damage = StoreCorrupt("damaged")
    with open_engine(tmp_path) as engine:
        engine.search("walrus", 3)
        path.write_bytes(b"junk" * 2_000)
        with open_engine(tmp_path) as other:
            other.sync()
        report = engine.rebuild(damage)
        assert (0, None) == (report.added, report.damage)
        assert 2 == engine.search("walrus", 3).generation


@pytest.mark.requirement("SPEC-ENG-11")
def test_while_another_process_mends_the_index_is_busy(tmp_path: Path) -> None:
    path = built(tmp_path)
    path.write_bytes(b"junk" * 2_000)
    with (
        open_engine(tmp_path) as engine,
        Generations(str(path.parent)).lease(),
        pytest.raises(StoreBusy),
    ):
        engine.sync(wait_s=0.01)


def test_an_interrupted_build_that_is_damaged_is_begun_again(tmp_path: Path) -> None:
    path = built(tmp_path)
    data = path.read_bytes()
    (path.parent / "CURRENT").unlink()
    path.write_bytes(data[:4_096] + b"\0" * (len(data) - 4_096))
    check(tmp_path, {"a.md": "walrus"})


def test_a_generation_that_is_replaced_while_it_is_opened_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = built(tmp_path)
    real = Generations.current
    first = iter([7])
    monkeypatch.setattr(Generations, "current", lambda self: next(first, None) or real(self))
    with open_engine(tmp_path) as engine:
        assert 1 == engine.search("walrus", 3).generation
    assert not path.with_name("index-7.db").exists()


ROWS = {
    "lengths gone": "DELETE FROM length",
    "lengths of another size": "UPDATE length SET data = x'ff00ff'",
    "postings gone": "DELETE FROM post; UPDATE term SET few = NULL",
    "half a posting": "UPDATE term SET few = x'01'",
    "a language that nobody speaks": "UPDATE document SET language = 'zz'",
    "a language of the index": "INSERT INTO language VALUES ('zz', 1)",
    "a text that is none": "UPDATE body SET text = x'00'",
    "a name that is no UTF-8": "UPDATE document SET path = CAST(x'ff61' AS TEXT)",
    "a look that is no UTF-8": "UPDATE stamp SET path = CAST(x'ff61' AS TEXT)",
    "counters gone": "DELETE FROM meta WHERE key IN ('n', 'total')",
    "a schema below all": "PRAGMA user_version = -128",
    "no schema": "PRAGMA user_version = 0",
}


def asked(folder: Path, question: str) -> list[str]:
    """What `recall` finds, as a program that keeps its memory asks."""
    environ = {"HOLDFACT_HOME": str(folder / "home")}
    memory = Memory.open(str(folder / "docs"), state=str(folder / "state"), environ=environ)
    return [hit.id for hit in memory.recall(question).hits]


@pytest.mark.requirement("SPEC-ENG-11")
@pytest.mark.parametrize("script", ROWS.values(), ids=ROWS)
def test_rows_that_hold_nonsense_are_damage_that_recall_mends(tmp_path: Path, script: str) -> None:
    write(tmp_path, "a.md", "# Walrus\n\nThe walrus sings of the sea and of the ships.\n")
    assert ["a.md"] == asked(tmp_path, "walrus sings")
    (path,) = (tmp_path / "state").rglob("index-1.db")
    connection = apsw.Connection(str(path))
    for _ in connection.execute(script):
        pass
    connection.close()
    assert ["a.md"] == asked(tmp_path, "walrus sings")
    assert not path.exists()
    assert ["a.md"] == asked(tmp_path, "walrus sings")


@pytest.mark.requirement("SPEC-ENG-11")
def test_pages_that_stand_in_each_others_place_never_stop_recall(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "# Walrus\n\nThe walrus sings of the sea and of the ships.\n")
    asked(tmp_path, "walrus")
    (path,) = (tmp_path / "state").rglob("index-1.db")
    clean = path.read_bytes()
    pages = range(len(clean) // PAGE)
    dice = random.Random(5)  # noqa: S311 - a test's dice
    pairs = dice.sample([(a, b) for a in pages for b in pages if a != b], 120)
    for source, target in pairs:
        for old in path.parent.glob("index-*"):
            old.unlink()
        at = target * PAGE
        page = clean[source * PAGE : source * PAGE + PAGE]
        path.write_bytes(clean[:at] + page + clean[at + PAGE :])
        (path.parent / "CURRENT").write_text("index-1.db\n", encoding="ascii")
        # Mended, or the page is not of what was asked.
        assert set(asked(tmp_path, "walrus")) <= {"a.md"}


@pytest.mark.requirement("SPEC-ENG-07")
def test_flipped_bytes_are_never_a_wrong_crash(tmp_path: Path) -> None:
    path = built(tmp_path)
    clean = path.read_bytes()
    dice = random.Random(11)  # noqa: S311 - a test's dice
    for _ in range(60):
        damaged = bytearray(clean)
        for _ in range(8):
            damaged[dice.randrange(100, len(damaged))] ^= 1 << dice.randrange(8)
        path.write_bytes(damaged)
        with open_engine(tmp_path) as engine:
            try:
                engine.search("walrus", 3)
            except HoldfactError as err:
                assert err.exit_code >= 20  # noqa: PT017 - either answer is right, a crash is not


@pytest.mark.requirement("SPEC-ENG-07")
@pytest.mark.parametrize(
    "text", [b"", b"garbage", b"index-99.db\n", b"../../etc\n", b"\xff" * 64, b"x" * 500]
)
def test_a_pointer_that_makes_no_sense_is_none(tmp_path: Path, text: bytes) -> None:
    built(tmp_path)
    (tmp_path / "state" / "engine" / "CURRENT").write_bytes(text)
    with open_engine(tmp_path) as engine, pytest.raises(EngineUnavailable):
        engine.search("walrus", 3)
    check(tmp_path, {"a.md": "walrus"})


@pytest.mark.requirement("SPEC-ENG-11")
def test_a_newer_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = built(tmp_path)
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()
    before = path.read_bytes()
    with open_engine(tmp_path) as engine, pytest.raises(StoreNewer, match="99"):
        engine.sync()
    assert path.read_bytes() == before


def test_a_read_only_folder_still_answers(tmp_path: Path) -> None:
    path = built(tmp_path)
    path.parent.chmod(0o500)
    write(tmp_path, "b.md", "walrus too\n")

    def read() -> None:
        with open_engine(tmp_path) as engine:
            report = engine.sync()
            assert ["b.md"] == report.stale
            assert isinstance(report.error, FileUnwritable)
            assert engine.search("walrus", 3).total == 1

    try:
        bound_by_permissions(read)
    finally:
        path.parent.chmod(0o700)


@pytest.mark.requirement("SPEC-ENG-11")
def test_damage_in_a_read_only_folder_is_told_with_what_hinders_the_mending(tmp_path: Path) -> None:
    path = built(tmp_path)
    path.write_bytes(b"junk" * 2_000)
    path.parent.chmod(0o500)

    def refuse() -> None:
        with open_engine(tmp_path) as engine, pytest.raises(StoreCorrupt) as caught:
            engine.sync()
        assert "is damaged" in caught.value.message
        assert "index-2.db: permission denied" in caught.value.message

    try:
        bound_by_permissions(refuse)
    finally:
        path.parent.chmod(0o700)
    with open_engine(tmp_path) as engine:
        assert engine.sync().damage
    check(tmp_path, {"a.md": "walrus"})


def test_reading_a_read_only_index_leaves_nothing_that_blocks_a_later_write(tmp_path: Path) -> None:
    path = built(tmp_path)
    path.chmod(0o400)

    def read() -> None:
        with open_engine(tmp_path) as engine:
            assert engine.search("walrus", 3).total == 1

    def write_again() -> None:
        with open_engine(tmp_path) as engine:
            report = engine.sync()
            assert (1, None) == (report.added, report.error)

    bound_by_permissions(read)
    assert {"CURRENT", "index-1.db", "lease"} == set(os.listdir(path.parent))
    path.chmod(0o600)
    write(tmp_path, "b.md", "walrus too\n")
    bound_by_permissions(write_again)


def test_leftovers_of_a_build_are_removed(tmp_path: Path) -> None:
    path = built(tmp_path)
    for name in ("index-7.db", "index-7.db-wal"):
        (path.parent / name).write_bytes(b"half a build")
    (path.parent / "CURRENT").unlink()
    check(tmp_path, {"a.md": "walrus"})
    names = [name for name in os.listdir(path.parent) if name.endswith(".db")]
    assert len(names) == 1


@pytest.mark.requirement("SPEC-ENG-09")
def test_a_full_disk_still_answers_and_names_what_is_stale(tmp_path: Path) -> None:
    built(tmp_path)
    write(tmp_path, "new.md", "zebra walrus")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with open_engine(tmp_path) as engine:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # no file can grow
            report = engine.sync()
            found = engine.search("walrus", 9)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert ["new.md"] == report.stale == found.stale
        assert found.hits
        assert "new.md" not in [hit.id for hit in found.hits]
        # the same engine, once there is room again
        assert [] == engine.sync().stale
        assert "new.md" in [hit.id for hit in engine.search("walrus", 9).hits]
