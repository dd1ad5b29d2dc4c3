"""The whole migration: what it does, what it reports, what it costs."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from holdfact.core.digest import path_key
from holdfact.core.errors import FileUnwritable
from holdfact.core.files import make_folder as really_make_folder
from holdfact.core.locks import locked
from holdfact.facts import codebase
from holdfact.facts.migrations import (
    attribution,
    changes,
    migrate,
    migrate_v1_if_needed,
    path_keyed,
    plan,
    sessions,
    v1,
)
from holdfact.facts.migrations.report import NOTHING
from holdfact.facts.store import Store
from tests.unit.facts.conftest import counted

if TYPE_CHECKING:
    from collections.abc import Callable


class Scene:
    """A workspace outside any repository, and the root that its facts are under.

    Args:
        folder: an empty folder to build it in.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config"
        self.work = folder / "work"
        self.work.mkdir()
        self.own = path_key(os.path.realpath(self.work))
        self.store = Store(str(self.config), str(self.work))
        self.codebase = self.config / "codebases" / self.own
        self.marker = self.codebase / "memory-migration.json"

    def old(self, name: str, text: str = "", *, store: str = "", age: int = 0) -> Path:
        """An old file: a fact of that name, or the flat file (`MEMORY.md`) with that text."""
        root = self.config / "projects" / (store or self.own)
        path = root / name if name == "MEMORY.md" else root / "memory" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        if name != "MEMORY.md":
            text = f"---\nname: {name}\ndescription: d\n---\n\n{text}\n"
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_700_000_000 + age,) * 2)
        return path

    def session(self, directory: Path, number: int = 1) -> str:
        """A session that ran in `directory`; the name of the directory's store."""
        path = self.config / "sessions" / "s" / f"{number}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        header = {"id": str(number), "metadata": {"cwd": str(directory)}}
        path.write_text(json.dumps(header), encoding="utf-8")
        return path_key(os.path.realpath(directory))

    def repository(self) -> Path:
        """Make the workspace a repository and return a worktree of it."""
        worktree = self.folder / "wt"
        for arguments in (
            ("init", "-q"),
            ("commit", "-q", "--allow-empty", "-m", "first"),
            ("worktree", "add", "-q", str(worktree)),
        ):
            identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
            subprocess.run(["git", *identity, *arguments], cwd=self.work, check=True)
        return worktree

    def facts(self) -> dict[str, str]:
        """Name → text of the codebase's facts."""
        folder = self.codebase / "memory"
        found = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
        return dict(sorted(found.items()))

    def tree(self) -> dict[str, bytes]:
        """Every file below the root."""
        return {
            str(path.relative_to(self.config)): path.read_bytes()
            for path in sorted(self.config.rglob("*"))
            if path.is_file()
        }


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A workspace without old stores."""
    return Scene(tmp_path)


@pytest.mark.requirement("FACT-24")
def test_making_a_store_migrates_nothing(scene: Scene) -> None:
    scene.old("foo", "text")
    before = scene.tree()
    Store(str(scene.config), str(scene.work)).list()
    assert scene.tree() == before


@pytest.mark.requirement("SPEC-MIG-2")
def test_without_old_stores_one_stat_is_all(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, "stat", "lstat", "open", "mkdir", "scandir", "posix_spawnp")
    assert scene.store.migrate() == NOTHING
    assert calls == ["stat"]
    assert not scene.config.exists()


@pytest.mark.requirement("SPEC-MIG-2")
def test_without_facts_in_them_nothing_is_created(scene: Scene) -> None:
    (scene.config / "projects" / scene.own).mkdir(parents=True)
    (scene.config / "projects" / scene.own / "state.json").write_text("{}", encoding="utf-8")
    (scene.config / "projects" / "file").write_text("", encoding="utf-8")
    for step in (migrate, plan, migrate_v1_if_needed):
        assert step(scene.store) == NOTHING
    assert os.listdir(scene.config) == ["projects"]


@pytest.mark.requirement("SPEC-MIG-2", "FACT-24")
def test_once_it_is_done_one_file_is_read_and_none_written(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.old("foo", "text")
    assert len(migrate(scene.store).copied) == 1
    before = scene.tree()
    calls = counted(monkeypatch, "open", "mkdir", "link", "rename", "unlink")
    assert migrate(scene.store).copied == ()
    assert calls == ["open"]
    assert scene.tree() == before


@pytest.mark.requirement("SPEC-MIG-1")
def test_one_unreadable_fact_stops_everything_before_a_write(scene: Scene) -> None:
    scene.old("foo", "text")
    scene.old("zoo", "text").write_bytes(b"x" * 2_000_000)
    report = migrate(scene.store)
    assert report.error is not None
    assert "zoo.md has 2000000 bytes" in report.error
    assert not (scene.codebase / "memory").exists()
    assert not scene.marker.exists()
    scene.old("zoo", "short again")
    assert len(migrate(scene.store).copied) == 2


def test_all_facts_together_have_a_limit(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.old("foo", "x" * 50)
    monkeypatch.setattr(changes, "MAX_MIGRATED_BYTES", 50)
    assert "exceed 50 bytes" in str(migrate(scene.store).error)


@pytest.mark.requirement("SPEC-MIG-1")
def test_links_are_named_and_left(scene: Scene) -> None:
    scene.old("foo", "text")
    secret = scene.folder / "secret.md"
    secret.write_text("---\nname: s\n---\n", encoding="utf-8")
    root = scene.config / "projects" / scene.own
    (root / "memory" / "planted.md").symlink_to(secret)
    (root / "MEMORY.md").symlink_to(secret)
    (root / "memory" / "folder.md").mkdir()
    other = scene.config / "projects" / ("1" * 16)
    other.mkdir()
    (other / "memory").symlink_to(root / "memory")
    report = migrate(scene.store)
    assert [one.name for one in report.copied] == ["foo"]
    assert len(report.notes) == 2
    assert (root / "MEMORY.md").is_symlink()


def test_a_link_in_the_new_store_keeps_its_name_and_is_not_read(scene: Scene) -> None:
    scene.old("foo", "text")
    (scene.codebase / "memory").mkdir(parents=True)
    (scene.codebase / "memory" / "foo.md").symlink_to("/dev/null")
    report = migrate(scene.store)
    assert [one.kept_as for one in report.copied] == ["foo-2"]


def test_a_new_store_that_cannot_be_listed_stops_it(scene: Scene) -> None:
    scene.old("foo", "text")
    scene.codebase.mkdir(parents=True)
    (scene.codebase / "memory").write_text("", encoding="utf-8")
    assert "can't list" in str(migrate(scene.store).error)


@pytest.mark.requirement("SPEC-MIG-1")
def test_an_old_store_that_cannot_be_listed_stops_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = str(scene.old("foo", "text").parent)
    real = os.scandir

    def scandir(path: str) -> Any:  # noqa: ANN401 - as os.scandir
        if path == memory:
            raise PermissionError(13, "Permission denied", path)
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", scandir)
        assert "Permission denied" in str(migrate(scene.store).error)
    migrate(scene.store)
    assert list(scene.facts()) == ["foo"]
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", scandir)
        assert "Permission denied" in str(migrate(scene.store).error)


def test_a_strange_store_that_cannot_be_listed_keeps_the_marker_open(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.old("foo", "text")
    memory = str(scene.old("lost", "text", store="1" * 16).parent)
    real = os.lstat

    def lstat(path: str) -> os.stat_result:
        if path == memory:
            raise OSError(5, "Input/output error")
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "lstat", lstat)
        report = migrate(scene.store)
    assert len(report.copied) == 1
    assert any("could not be looked into" in note for note in report.notes)
    assert json.loads(scene.marker.read_text(encoding="utf-8"))["complete"] is False
    assert len(migrate(scene.store).orphans) == 1


def test_old_stores_that_cannot_be_listed_are_an_error_not_an_exception(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.old("foo", "text")

    def scandir(_path: str) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", scandir)
    assert "Permission denied" in str(migrate(scene.store).error)


@pytest.mark.requirement("SPEC-MIG-8")
def test_a_lock_that_is_held_is_reported(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.old("foo", "text")
    scene.codebase.mkdir(parents=True)
    monkeypatch.setattr(path_keyed, "MIGRATION_LOCK_TIMEOUT_S", 0)
    with locked(str(scene.codebase / ".memory-migration.lock"), timeout_s=0):
        assert "held by another process" in str(migrate(scene.store).error)
    assert migrate(scene.store).error is None


@pytest.mark.requirement("SPEC-MIG-9")
def test_what_another_process_finished_meanwhile_is_not_done_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.old("foo", "text")
    scene.old("MEMORY.md", "flat")

    def make_folder(path: str) -> None:
        monkeypatch.setattr(path_keyed, "make_folder", really_make_folder)
        migrate(scene.store)
        really_make_folder(path)

    monkeypatch.setattr(path_keyed, "make_folder", make_folder)
    assert migrate(scene.store).copied == ()
    assert list(scene.facts()) == ["foo", "notas-legado-v1"]


@pytest.mark.requirement("SPEC-MIG-5")
def test_only_directories_of_this_repository_count(scene: Scene) -> None:
    worktree = scene.repository()
    elsewhere = scene.folder / "elsewhere"
    elsewhere.mkdir()
    scene.old("ours", "text", store=scene.session(worktree, 1))
    scene.old("theirs", "text", store=scene.session(elsewhere, 2))
    report = migrate(scene.store)
    assert [one.name for one in report.copied] == ["ours"]
    assert report.orphans == ()


@pytest.mark.requirement("SPEC-MIG-5")
def test_when_git_does_not_answer_the_marker_stays_open(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    worktree = scene.repository()
    scene.old("ours", "text", store=scene.session(worktree))
    with monkeypatch.context() as patch:
        patch.setattr(codebase.git, "run", lambda *_: None)  # type: ignore[attr-defined]
        patch.setattr(codebase, "_silent_until", {})  # so that it is asked again at once below
        patch.setattr(attribution, "repo_codebase_key", lambda _: None)
        report = migrate(scene.store)
    assert report.copied == ()
    assert any("could not be looked into" in note for note in report.notes)
    assert [one.name for one in migrate(scene.store).copied] == ["ours"]


def test_a_directory_that_cannot_be_looked_at_is_not_gone(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = scene.folder / "elsewhere"
    scene.old("lost", "text", store=scene.session(elsewhere))
    real = os.stat

    def stat(path: str, **kwargs: Any) -> os.stat_result:  # noqa: ANN401 - as os.stat
        if path == str(elsewhere):
            raise OSError(5, "Input/output error")
        return real(path, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", stat)
        assert "Input/output error" in str(migrate(scene.store).error)
    assert len(migrate(scene.store).orphans) == 1


@pytest.mark.requirement("SPEC-MIG-5")
def test_a_pending_store_needs_a_parent_in_our_repository(scene: Scene) -> None:
    scene.repository()
    for number, gone in enumerate(
        (scene.work / "a" / "b", scene.folder / "c", Path("/no/such/place"))
    ):
        scene.old("lost", "text", store=scene.session(gone, number))
    report = migrate(scene.store)
    assert len(report.orphans) == 3
    assert [entry.cwd for entry in report.pending] == [str(scene.work / "a" / "b")]


def test_an_empty_store_is_no_orphan_and_an_empty_one_of_ours_is_done(
    scene: Scene,
) -> None:
    for store in (scene.own, "1" * 16):
        (scene.config / "projects" / store / "memory").mkdir(parents=True)
    assert migrate(scene.store).orphans == ()
    before = scene.tree()
    assert migrate(scene.store) == NOTHING
    assert scene.tree() == before


@pytest.mark.requirement("SPEC-MIG-4")
def test_a_deleted_fact_does_not_come_back_through_a_sibling(scene: Scene) -> None:
    worktree = scene.repository()
    scene.old("foo", "text")
    migrate(scene.store)
    scene.store.delete("project/foo")
    scene.old("foo", "text", store=scene.session(worktree))
    scene.old("bar", "new")
    assert [one.name for one in migrate(scene.store).copied] == ["bar"]


@pytest.mark.requirement("SPEC-MIG-4")
def test_a_touched_file_is_read_and_nothing_else(scene: Scene) -> None:
    path = scene.old("foo", "text")
    migrate(scene.store)
    scene.store.delete("project/foo")
    os.utime(path, (5, 5))
    report = migrate(scene.store)
    assert report.copied == ()
    assert report.edited_in_old_store == ()
    assert f'"mtime_ns": {5 * 10**9}' in scene.marker.read_text(encoding="utf-8")


@pytest.mark.requirement("SPEC-MIG-4")
def test_an_edit_is_listed_until_it_is_gone_or_merged(scene: Scene) -> None:
    path = scene.old("foo", "text")
    other = scene.old("bar", "text")
    migrate(scene.store)
    scene.old("foo", "edited", age=9)
    scene.old("bar", "edited", age=9)
    both = (str(other), str(path))
    assert migrate(scene.store).edited_in_old_store == both
    scene.old("new", "so that all is looked at")
    assert migrate(scene.store).edited_in_old_store == both
    path.unlink()
    assert migrate(scene.store).edited_in_old_store == (str(other),)
    (scene.codebase / "memory" / "bar.md").write_bytes(other.read_bytes())
    assert migrate(scene.store).edited_in_old_store == ()
    scene.old("newer", "again")
    assert migrate(scene.store).edited_in_old_store == ()


def test_an_edit_that_was_merged_before_it_was_seen_is_done(scene: Scene) -> None:
    path = scene.old("foo", "text")
    migrate(scene.store)
    scene.old("foo", "edited", age=9)
    (scene.codebase / "memory" / "foo.md").write_bytes(path.read_bytes())
    report = migrate(scene.store)
    assert report.edited_in_old_store == ()
    assert str(path) in report.skipped


def test_an_edited_flat_file_of_a_sibling_is_listed(scene: Scene) -> None:
    store = scene.session(scene.repository())
    scene.old("MEMORY.md", "flat", store=store)
    migrate(scene.store)
    path = scene.old("MEMORY.md", "flat, edited", store=store, age=9)
    for _ in range(2):
        assert migrate(scene.store).edited_in_old_store == (str(path),)


@pytest.mark.requirement("SPEC-MIG-4")
def test_beside_another_programs_marker_later_files_are_reported(scene: Scene) -> None:
    scene.old("foo", "text")
    scene.codebase.mkdir(parents=True)
    (scene.codebase / "memory").mkdir()
    record = {
        "version": 1,
        "updated_at": "2020-01-01T00:00:00Z",
        "complete": False,
        "copied_stores": [{"hash": scene.own, "facts": 1}],
    }
    scene.marker.write_text(json.dumps(record), encoding="utf-8")
    report = migrate(scene.store)  # one fact then, one now: deleted, or edited since
    assert report.copied == ()
    assert len(report.edited_in_old_store) == 1


def test_facts_in_the_repository_stay_apart_from_what_is_migrated(scene: Scene) -> None:
    scene.old("foo", "text")
    store = Store(str(scene.config), str(scene.work), project_dir="facts")
    report = migrate(store)
    assert list(scene.facts()) == ["foo"]
    assert "this project's in its own folder" in report.notes[0]


@pytest.mark.requirement("SPEC-MIG-7")
def test_a_plan_writes_nothing_and_knows_when_all_is_done(scene: Scene) -> None:
    scene.old("foo", "text")
    scene.old("MEMORY.md", "flat")
    before = scene.tree()
    planned = plan(scene.store)
    assert scene.tree() == before
    assert [one.kept_as for one in planned.copied] == ["foo", "notas-legado-v1"]
    migrate(scene.store)
    assert plan(scene.store) == NOTHING


@pytest.mark.requirement("FACT-28", "FACT-29")
def test_a_flat_file_becomes_one_durable_fact(scene: Scene) -> None:
    path = scene.old("MEMORY.md", "# old\r\nnotes\n\n\n")
    report = migrate_v1_if_needed(scene.store)
    assert [one.kept_as for one in report.copied] == ["notas-legado-v1"]
    fact = scene.store.read("project/notas-legado-v1")
    assert fact.lifecycle.value == "durable"
    assert fact.body == "# old\nnotes"
    assert not path.exists()
    assert path.with_name("MEMORY.md.v1.bak").read_bytes() == b"# old\r\nnotes\n\n\n"
    assert migrate_v1_if_needed(scene.store) == NOTHING


@pytest.mark.requirement("FACT-28")
@pytest.mark.parametrize("text", ["", " \n\t\u2003\n"])
@pytest.mark.parametrize("step", [migrate, migrate_v1_if_needed])
def test_a_blank_flat_file_is_only_renamed(
    scene: Scene, text: str, step: Callable[[Store], object]
) -> None:
    path = scene.old("MEMORY.md", text)
    step(scene.store)
    assert scene.facts() == {}
    assert path.with_name("MEMORY.md.v1.bak").read_text(encoding="utf-8") == text


@pytest.mark.requirement("FACT-28")
def test_a_name_that_is_taken_is_not_overwritten_nor_is_a_backup(scene: Scene) -> None:
    (scene.codebase / "memory").mkdir(parents=True)
    mine = scene.codebase / "memory" / "notas-legado-v1.md"
    mine.write_text("mine", encoding="utf-8")
    for text in ("one", "two", "three"):
        path = scene.old("MEMORY.md", text)
        report = migrate_v1_if_needed(scene.store)
        assert report.renamed == report.copied
    assert mine.read_text(encoding="utf-8") == "mine"
    assert list(scene.facts()) == ["notas-legado-v1", *(f"notas-legado-v1-{n}" for n in (2, 3, 4))]
    backups = sorted(os.listdir(path.parent))
    assert backups == ["MEMORY.md.v1.bak", "MEMORY.md.v1.bak.2", "MEMORY.md.v1.bak.3"]


@pytest.mark.requirement("FACT-28")
@pytest.mark.parametrize("step", [migrate, migrate_v1_if_needed])
def test_when_the_rename_fails_the_next_run_only_renames(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, step: Callable[[Store], Any]
) -> None:
    path = scene.old("MEMORY.md", "flat")

    def refuse(_source: str, _target: str) -> None:
        raise FileUnwritable("can't rename")

    with monkeypatch.context() as patch:
        patch.setattr(v1, "rename_durable", refuse)
        assert "can't rename" in step(scene.store).error
    assert list(scene.facts()) == ["notas-legado-v1"]
    assert step(scene.store).error is None
    assert list(scene.facts()) == ["notas-legado-v1"]
    assert not path.exists()


@pytest.mark.requirement("FACT-28", "SPEC-MIG-4")
def test_a_deleted_flat_fact_stays_deleted_when_the_rename_failed(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.old("MEMORY.md", "flat")

    def refuse(_source: str, _target: str) -> None:
        raise FileUnwritable("can't rename")

    with monkeypatch.context() as patch:
        patch.setattr(v1, "rename_durable", refuse)
        assert len(migrate(scene.store).copied) == 1
    scene.store.delete("project/notas-legado-v1")
    migrate(scene.store)
    assert scene.facts() == {}


@pytest.mark.requirement("SPEC-MIG-4")
def test_a_new_flat_file_of_our_own_is_a_new_fact(scene: Scene) -> None:
    for text in ("first", "second"):
        scene.old("MEMORY.md", text)
        assert migrate(scene.store).error is None
    assert list(scene.facts()) == ["notas-legado-v1", "notas-legado-v1-2"]


def test_a_flat_file_that_another_process_put_away_is_none_of_ours(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = scene.old("MEMORY.md", "flat")

    def make_folder(folder: str) -> None:
        really_make_folder(folder)
        path.unlink()

    monkeypatch.setattr(v1, "make_folder", make_folder)
    assert migrate_v1_if_needed(scene.store) == NOTHING


def test_every_session_limit_is_a_note(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSION_FILES", 0)
    scene.old("foo", "text")
    scene.session(scene.work)
    assert "1 session files" in migrate(scene.store).notes[0]


def test_a_removed_own_store_is_nothing_to_look_at(scene: Scene) -> None:
    scene.old("lost", "text", store="1" * 16)
    path = scene.old("foo", "text")
    migrate(scene.store)
    path.unlink()
    path.parent.rmdir()
    path.parent.parent.rmdir()
    before = scene.tree()
    migrate(scene.store)
    assert scene.tree() == before


@pytest.mark.requirement("SPEC-MIG-10")
def test_a_broken_session_is_waited_for_without_a_scan(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    worktree = scene.repository()
    store = scene.session(worktree)
    path = scene.config / "sessions" / "s" / "1.json"
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole[:9], encoding="utf-8")
    scene.old("foo", "text")
    scene.old("ours", "text", store=store)
    report = migrate(scene.store)
    assert [one.name for one in report.copied] == ["foo"]
    assert str(path) in report.notes[0]
    assert json.loads(scene.marker.read_text(encoding="utf-8"))["complete"] is False
    calls = counted(monkeypatch, "open")
    assert migrate(scene.store).notes == ()
    assert calls == ["open"]
    path.write_text(whole, encoding="utf-8")
    assert [one.name for one in migrate(scene.store).copied] == ["ours"]
    assert json.loads(scene.marker.read_text(encoding="utf-8"))["complete"] is True
