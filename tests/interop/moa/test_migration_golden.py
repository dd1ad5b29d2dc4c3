"""The golden trees of a path-keyed migration: the same bytes as the older program, or better."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from holdfact.core.digest import path_key
from holdfact.facts.migrations import migrate, plan
from holdfact.facts.store import Store

if TYPE_CHECKING:
    from pathlib import Path

FIXTURES = os.path.join(os.path.dirname(__file__), "..", "..", "fixtures", "moa")
# The folder names of the fixtures → the paths they stand for.
DIRECTORIES = {
    "22840fbc1ce1f8a0": "repo",
    "64e318d7a1dfd492": "wt1",
    "3e59c9981b88a3d7": "repo/gone-inside",
    "505e7572916973d3": "gone-outside",
}
OWN, WORKTREE = "22840fbc1ce1f8a0", "64e318d7a1dfd492"


class Golden:
    """One golden tree, recreated below a folder of its own.

    Args:
        root: the folder in the place of `<ROOT>`.
        tree: the fixture's name.
    """

    def __init__(self, root: os.PathLike[str], tree: str) -> None:
        self.root = os.path.realpath(root)
        self.config = os.path.join(self.root, "config")
        repo, worktree = os.path.join(self.root, "repo"), os.path.join(self.root, "wt1")
        _git(self.root, "init", "-q", "repo")
        _git(repo, "commit", "-q", "--allow-empty", "-m", "first")
        _git(repo, "worktree", "add", "-q", worktree)
        self.names = {
            old: path_key(os.path.join(self.root, path)) for old, path in DIRECTORIES.items()
        }
        self.key = self.names[OWN]
        self.copy(tree)
        self.store = Store(self.config, repo)
        self.worktree = Store(self.config, worktree)

    def copy(self, tree: str) -> None:
        """Put the files of a fixture below the configuration root."""
        source = os.path.join(FIXTURES, tree)
        for folder, _, files in os.walk(source):
            for name in files:
                path = os.path.join(folder, name)
                target = self.translate(os.path.relpath(path, source))
                target = os.path.join(self.config, target)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(path, "rb") as file:
                    data = file.read()
                with open(target, "wb") as file:
                    file.write(self.translate(data.decode("utf-8")).encode("utf-8"))
                is_newer = WORKTREE in path  # the worktree's facts are the younger ones
                os.utime(target, (1_700_000_000 + is_newer,) * 2)
        outside = os.path.join(self.root, "secret.txt")
        with open(outside, "w", encoding="utf-8") as file:
            file.write("---\nname: planted\n---\n\nsecret\n")
        os.symlink(outside, os.path.join(self.memory_of(OWN), "planted.md"))

    def translate(self, text: str) -> str:
        """The text with this tree's names and root."""
        for old, new in self.names.items():
            text = text.replace(old, new)
        return text.replace("<ROOT>", self.root)

    def memory_of(self, old: str) -> str:
        """The memory folder of an old store."""
        return os.path.join(self.config, "projects", self.names[old], "memory")

    def facts(self) -> dict[str, bytes]:
        """The codebase's facts: file name → bytes."""
        return files_below(os.path.join(self.config, "codebases", self.key, "memory"))

    def json(self, *path: str) -> dict[str, Any]:
        """A JSON file below `codebases`."""
        with open(os.path.join(self.config, "codebases", *path), encoding="utf-8") as file:
            record: dict[str, Any] = json.load(file)
        return record

    def marker(self) -> dict[str, Any]:
        """The codebase's marker."""
        return self.json(self.key, "memory-migration.json")

    def expected(self, tree: str, *path: str) -> dict[str, bytes]:
        """Files of another golden tree, with this one's names in them."""
        found = files_below(os.path.join(FIXTURES, tree, "codebases", *path))
        return {
            self.translate(name): self.translate(data.decode()).encode()
            for name, data in found.items()
        }


def files_below(folder: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for inside, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(inside, name)
            if not os.path.islink(path):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = file.read()
    return found


def _git(folder: str, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def before(tmp_path: Path) -> Golden:
    return Golden(tmp_path, "migration-before")


@pytest.fixture
def after(tmp_path: Path) -> Golden:
    """What the older program left after its first run."""
    return Golden(tmp_path, "migration-after-first-run")


def tree(golden: Golden) -> dict[str, bytes]:
    return files_below(golden.config)


@pytest.mark.requirement("FACT-27", "FACT-28", "FACT-29", "SPEC-MIG-1", "SPEC-MIG-5")
def test_the_first_run_leaves_the_same_facts(before: Golden) -> None:
    report = migrate(before.store)
    assert report.error is None
    wanted = before.expected("migration-after-first-run", OWN, "memory")
    assert before.facts() == wanted
    assert "planted.md" not in before.facts()
    assert any("planted.md" in note for note in report.notes)
    assert sorted(one.kept_as for one in report.renamed) == ["foo-3", "notas-legado-v1-2"]


@pytest.mark.requirement("SPEC-MIG-6")
def test_the_marker_has_the_same_shared_fields(before: Golden) -> None:
    migrate(before.store)
    golden = before.expected("migration-after-first-run", OWN)["memory-migration.json"]
    expected = json.loads(golden)
    marker = before.marker()
    own = marker.pop("holdfact")
    assert list(marker) == list(expected)
    marker.pop("updated_at")
    expected.pop("updated_at")
    expected["copied_stores"].sort(key=lambda entry: entry["hash"])
    assert marker == expected
    assert len(own["copied_files"]) == 9
    assert all(len(one["sha256"]) == 64 for one in own["copied_files"])


@pytest.mark.requirement("SPEC-MIG-6")
def test_the_ledger_has_the_same_orphans(before: Golden) -> None:
    migrate(before.store)
    expected = json.loads(before.expected("migration-after-first-run")["orphaned-memory.json"])
    ledger = before.json("orphaned-memory.json")
    assert list(ledger) == list(expected)
    expected["stores"].sort(key=lambda entry: entry["hash"])
    assert ledger["stores"] == expected["stores"]


@pytest.mark.requirement("FACT-28", "FACT-29")
def test_the_old_stores_are_as_the_older_program_leaves_them(before: Golden) -> None:
    migrate(before.store)
    source = os.path.join(FIXTURES, "migration-after-first-run", "projects")
    expected = {
        before.translate(name): before.translate(data.decode()).encode()
        for name, data in files_below(source).items()
    }
    assert files_below(os.path.join(before.config, "projects")) == expected


@pytest.mark.requirement("SPEC-MIG-2")
def test_the_second_run_changes_nothing(before: Golden) -> None:
    migrate(before.store)
    once = tree(before)
    report = migrate(before.store)
    assert tree(before) == once
    assert report.copied == ()


@pytest.mark.requirement("SPEC-MIG-2")
def test_the_older_programs_complete_marker_is_enough(after: Golden) -> None:
    once = tree(after)
    report = migrate(after.store)
    assert tree(after) == once
    assert report.error is None


@pytest.mark.requirement("SPEC-MIG-3")
def test_a_lost_marker_files_nothing_again(before: Golden) -> None:
    migrate(before.store)
    facts = before.facts()
    os.unlink(os.path.join(before.config, "codebases", before.key, "memory-migration.json"))
    report = migrate(before.store)
    assert report.copied == ()
    assert before.facts() == facts


@pytest.mark.requirement("SPEC-MIG-3")
def test_the_older_programs_lost_marker_files_nothing_again(after: Golden) -> None:
    facts = after.facts()
    os.unlink(os.path.join(after.config, "codebases", after.key, "memory-migration.json"))
    migrate(after.store)
    assert after.facts() == facts


@pytest.mark.requirement("SPEC-MIG-3")
def test_a_truncated_session_keeps_the_marker_open_and_files_nothing_again(tmp_path: Path) -> None:
    golden = Golden(tmp_path, "migration-after-marker-lost-and-truncated-session")
    facts = golden.facts()
    report = migrate(golden.store)
    assert golden.facts() == facts
    assert golden.marker()["complete"] is False
    assert any("session" in note for note in report.notes)


def test_an_open_marker_is_written_once_only(tmp_path: Path) -> None:
    golden = Golden(tmp_path, "migration-after-marker-lost-and-truncated-session")
    migrate(golden.store)
    once = tree(golden)
    migrate(golden.store)
    assert tree(golden) == once


@pytest.mark.requirement("SPEC-MIG-4")
@pytest.mark.parametrize("start", ["migration-before", "migration-after-first-run"])
def test_a_deleted_fact_stays_deleted_when_the_old_store_grows(tmp_path: Path, start: str) -> None:
    golden = Golden(tmp_path, start)
    migrate(golden.store)
    golden.store.delete("project/foo-3")
    golden.store.delete("project/crlf")
    add(golden, OWN, "new", "just learnt")
    add(golden, OWN, "newer", "just learnt too")
    report = migrate(golden.store)
    assert sorted(one.name for one in report.copied) == ["new", "newer"]
    assert "foo-3.md" not in golden.facts()
    assert "crlf.md" not in golden.facts()


@pytest.mark.requirement("SPEC-MIG-4")
@pytest.mark.parametrize("start", ["migration-before", "migration-after-first-run"])
def test_the_first_fact_after_the_flat_file_was_put_away_is_seen(
    tmp_path: Path, start: str
) -> None:
    golden = Golden(tmp_path, start)
    migrate(golden.store)
    add(golden, OWN, "first-after", "appended by an older program")
    report = migrate(golden.store)
    assert [one.name for one in report.copied] == ["first-after"]
    assert "first-after.md" in golden.facts()


@pytest.mark.requirement("SPEC-MIG-4")
def test_an_edit_in_the_old_store_is_reported_until_it_is_resolved(before: Golden) -> None:
    migrate(before.store)
    path = add(before, WORKTREE, "foo", "edited there")
    facts = before.facts()
    for _ in range(2):  # the first finds it, the second remembers it
        report = migrate(before.store)
        assert report.edited_in_old_store == (path,)
        assert before.facts() == facts
    with open(path, "rb") as file:
        edited = file.read()
    with open(os.path.join(before.store.project_dir, "foo.md"), "wb") as file:
        file.write(edited)
    assert migrate(before.store).edited_in_old_store == ()


@pytest.mark.requirement("SPEC-MIG-4")
def test_a_fact_that_a_sibling_store_gained_is_seen(before: Golden) -> None:
    migrate(before.store)
    add(before, WORKTREE, "sibling", "from the worktree")
    assert [one.name for one in migrate(before.store).copied] == ["sibling"]


@pytest.mark.requirement("SPEC-MIG-5")
def test_a_pending_store_is_copied_when_its_directory_is_back(before: Golden) -> None:
    report = migrate(before.store)
    assert [entry.hash for entry in report.pending] == [before.names["3e59c9981b88a3d7"]]
    os.makedirs(os.path.join(before.root, "repo", "gone-inside"))
    report = migrate(before.store)
    assert [one.name for one in report.copied] == ["lost"]
    assert report.pending == ()
    hashes = [entry["hash"] for entry in before.json("orphaned-memory.json")["stores"]]
    assert before.names["3e59c9981b88a3d7"] not in hashes


@pytest.mark.requirement("SPEC-MIG-5")
def test_opening_the_worktree_later_takes_its_own_flat_file_along(before: Golden) -> None:
    migrate(before.store)
    facts = before.facts()
    report = migrate(before.worktree)
    assert report.error is None
    assert before.facts() == facts
    flat = os.path.join(before.config, "projects", before.names[WORKTREE], "MEMORY.md")
    assert not os.path.exists(flat)
    assert os.path.exists(flat + ".v1.bak")


def test_a_copied_store_whose_worktree_is_removed_is_no_orphan(before: Golden) -> None:
    migrate(before.store)
    shutil.rmtree(os.path.join(before.root, "wt1"))
    add(before, OWN, "new", "so that everything is looked at again")
    migrate(before.store)
    hashes = [entry["hash"] for entry in before.json("orphaned-memory.json")["stores"]]
    assert before.names[WORKTREE] not in hashes


@pytest.mark.requirement("SPEC-MIG-7")
def test_a_plan_tells_the_same_and_writes_nothing(before: Golden) -> None:
    untouched = tree(before)
    planned = plan(before.store)
    assert tree(before) == untouched
    done = migrate(before.store)
    assert planned == done._replace(skipped=planned.skipped)


def add(golden: Golden, store: str, name: str, body: str) -> str:
    """An older program writes a fact into a path-keyed store."""
    path = os.path.join(golden.memory_of(store), f"{name}.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"---\nname: {name}\ndescription: d\ntype: project\n---\n\n{body}\n")
    return path
