"""The codebase key, against real repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from holdfact.core import clock, git
from holdfact.core.digest import path_key
from holdfact.core.errors import CodebaseUnknown
from holdfact.facts import (
    Lifecycle,
    Memory,
    Scope,
    Store,
    codebase,
    codebase_key,
    repo_codebase_key,
)
from holdfact.facts.codebase import identify

if TYPE_CHECKING:
    from pathlib import Path

_FACT = Memory("a", "one", Scope.PROJECT, lifecycle=Lifecycle.DURABLE)
_IDENTITY = ("-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")


def _git(folder: Path | str, *arguments: str) -> None:
    allowed = ("-c", "protocol.file.allow=always")
    subprocess.run(
        ["git", *_IDENTITY, *allowed, *arguments], cwd=folder, check=True, capture_output=True
    )


def _repository(path: Path) -> Path:
    path.mkdir(parents=True)
    _git(path, "init", "-q")
    _git(path, "commit", "-q", "--allow-empty", "-m", "first")
    return path


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codebase, "_known", {})
    monkeypatch.setattr(codebase, "_silent_until", {})


@pytest.mark.requirement("FACT-03", "SPEC-FACT-14")
def test_one_repository_one_key(tmp_path: Path) -> None:
    repo = _repository(tmp_path / "repo")
    deep = repo / "a" / "b"
    deep.mkdir(parents=True)
    link = tmp_path / "elsewhere" / "link"
    link.parent.mkdir()
    link.symlink_to(deep)
    _git(repo, "worktree", "add", "-q", str(tmp_path / "tree"))
    places = [repo, deep, link, repo / ".git", tmp_path / "tree", f"{repo}/", f"{repo}/a/../a"]
    assert {path_key(os.path.realpath(repo))} == {codebase_key(str(place)) for place in places}
    assert {repo_codebase_key(str(place)) for place in places} == {codebase_key(str(repo))}


@pytest.mark.requirement("SPEC-FACT-14")
def test_other_repositories_have_other_keys(tmp_path: Path) -> None:
    repo = _repository(tmp_path / "repo")
    _git(tmp_path, "clone", "-q", str(repo), "clone")
    _git(repo, "submodule", "add", "-q", str(tmp_path / "clone"), "sub")
    places = ("repo", "clone", "repo/sub", "outside")
    assert len(places) == len({codebase_key(str(tmp_path / name)) for name in places})


@pytest.mark.requirement("SPEC-FACT-14")
def test_a_bare_repository_called_dot_git_is_not_the_folder_around_it(tmp_path: Path) -> None:
    _git(tmp_path, "init", "-q", "--bare", ".git")
    expected = path_key(os.path.realpath(tmp_path / ".git"))
    assert expected == codebase_key(str(tmp_path / ".git")) != path_key(os.path.realpath(tmp_path))


@pytest.mark.requirement("SPEC-FACT-14")
def test_a_bare_repository_and_its_worktrees_share_one(tmp_path: Path) -> None:
    _git(tmp_path, "clone", "-q", "--bare", str(_repository(tmp_path / "repo")), "bare.git")
    _git(tmp_path / "bare.git", "worktree", "add", "-q", str(tmp_path / "tree"))
    assert codebase_key(str(tmp_path / "bare.git")) == codebase_key(str(tmp_path / "tree"))


@pytest.mark.requirement("FACT-04")
def test_deleting_a_worktree_loses_no_fact(tmp_path: Path) -> None:
    repo = _repository(tmp_path / "repo")
    _git(repo, "worktree", "add", "-q", str(tmp_path / "tree"))
    config = str(tmp_path / "config")
    learned = Memory("x", "d", Scope.PROJECT, lifecycle=Lifecycle.DURABLE)
    Store(config, str(tmp_path / "tree")).write(learned)
    shutil.rmtree(tmp_path / "tree")
    assert ["project/x"] == [memory.id for memory in Store(config, str(repo)).list()]


@pytest.mark.requirement("SPEC-FACT-15")
def test_outside_a_repository_the_folder_is_the_identity(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    expected = path_key(os.path.realpath(tmp_path))
    assert expected == codebase_key(str(tmp_path)) == codebase_key(str(tmp_path / "link"))
    assert repo_codebase_key(str(tmp_path)) is None


@pytest.mark.requirement("SPEC-FACT-15")
def test_it_never_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for folder in (str(gone), "", ".", "a\0b", "\udcff", "\ud800", "x" * 10_000):
        assert 16 == len(codebase_key(folder))
        assert repo_codebase_key(folder) is None


@pytest.mark.requirement("SPEC-FACT-15")
@pytest.mark.parametrize(
    ("answer", "place"),
    [
        (b"false\n.git\n", ""),
        (b"false\r\n.git\r\n", ""),
        (b"false\n /x/.git \n", " /x/.git "),
        (b"true\n/x/.git\n", "/x/.git"),
        (b"false\n/x/a\nb/.git\n", "/x/a\nb"),
        (b"false\n/x/modules/sub\n", "/x/modules/sub"),
        (b"false\n/x/\xff/.git\n", "/x/\udcff"),
        (b"maybe\n/x/.git\n", None),
        (b"false\r\r\n/x/.git\n", None),
        (b" false\n/x/.git\n", None),
        (b"false\n", None),
        (b"false\n\n", None),
        (b"false", None),
        (b"", None),
        (None, None),
    ],
)
def test_what_git_may_answer(
    answer: bytes | None, place: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "may_be_repository", lambda _: True)
    monkeypatch.setattr(git, "run", lambda *_: answer)
    here = os.path.realpath(tmp_path)
    expected = None if place is None else path_key(os.path.normpath(os.path.join(here, place)))
    assert expected == repo_codebase_key(str(tmp_path))
    assert (expected or path_key(here)) == codebase_key(str(tmp_path))


@pytest.mark.requirement("SPEC-FACT-16")
def test_git_is_asked_once_a_process_and_not_where_it_would_find_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def run(folder: str, *_: str) -> bytes:
        asked.append(folder)
        return b"false\n.git\n"

    monkeypatch.setattr(git, "run", run)
    codebase_key(str(tmp_path))
    assert [] == asked
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").touch()
    first = codebase_key(str(tmp_path))
    assert first == codebase_key(str(tmp_path)) == repo_codebase_key(str(tmp_path))
    assert [os.path.realpath(tmp_path)] == asked


@pytest.mark.requirement("SPEC-FACT-16")
def test_global_facts_ask_git_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").touch()
    monkeypatch.setattr(git, "run", lambda *_: pytest.fail("a process was started"))
    store = Store(str(tmp_path / "config"), str(tmp_path))
    os.makedirs(store.global_dir)
    with open(os.path.join(store.global_dir, "x.md"), "wb") as file:
        file.write(b"---\ndescription: d\n---\n")
    assert "d" == store.read("global/x").description
    store.delete("global/x")


def _two_trees(folder: Path) -> tuple[Path, Path]:
    """A repository, and another working tree of it."""
    repo = _repository(folder / "repo")
    tree = folder / "tree"
    _git(repo, "worktree", "add", "-q", str(tree))
    return repo, tree


def _silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codebase, "_known", {})
    monkeypatch.setattr(git, "run", lambda *_: None)


@pytest.mark.requirement("SPEC-FACT-33")
def test_where_git_is_silent_a_key_that_it_could_change_is_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, tree = _two_trees(tmp_path)
    (repo / "deep").mkdir()
    answered = {place: identify(str(place)) for place in (repo, tree, repo / "deep", tmp_path)}
    assert all(one.is_certain for one in answered.values())
    _silence(monkeypatch)
    assert answered[repo] == identify(str(repo)), "a checkout's top stands for itself"
    assert answered[tmp_path] == identify(str(tmp_path))
    assert not identify(str(tree)).is_certain
    assert not identify(str(repo / "deep")).is_certain
    assert identify("no\0path").is_certain


@pytest.mark.requirement("SPEC-FACT-33")
def test_nothing_is_written_for_a_linked_worktree_that_git_is_silent_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, tree = _two_trees(tmp_path)
    (tmp_path / "home" / "projects").mkdir(parents=True)
    _silence(monkeypatch)
    store = Store(str(tmp_path / "home"), str(tree))
    fact = _FACT
    assert store.is_certain, "git was not asked yet"
    with pytest.raises(CodebaseUnknown, match="is linked to a repository elsewhere"):
        store.write(fact)
    assert not store.is_certain
    assert "is linked to a repository elsewhere" in store.migrate().error
    assert ["projects"] == os.listdir(tmp_path / "home")
    store.write(fact._replace(scope=Scope.GLOBAL))
    inside = Store(str(tmp_path / "home"), str(tree), project_dir="facts")
    inside.write(fact)
    assert inside.is_certain


@pytest.mark.requirement("SPEC-FACT-33")
@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\n",
        b"garbage",
        b"\0" * 64,
        b"gitdir: a\0b\n",
        b"gitdir:/x\n",
        b"gitdir: /x\n",
        b"\xff",
    ],
)
@pytest.mark.parametrize("inside", ["", "deep/er"])
def test_nothing_is_written_for_a_worktree_whose_pointer_is_damaged(
    damage: bytes, inside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo, tree = _two_trees(tmp_path)
    pointer = (tree / ".git").read_bytes()
    folder = tree / inside
    folder.mkdir(parents=True, exist_ok=True)
    (tree / ".git").write_bytes(damage)
    store = Store(str(tmp_path / "home"), str(folder))
    with pytest.raises(CodebaseUnknown, match=f"{tree.name} is linked to a repository elsewhere"):
        store.write(_FACT)
    assert not store.is_certain
    assert not identify(str(folder)).is_certain
    assert not (tmp_path / "home").exists()
    (tree / ".git").write_bytes(pointer)
    monkeypatch.setattr(codebase, "_silent_until", {})
    store.write(_FACT)
    assert ["project/a"] == [one.id for one in Store(str(tmp_path / "home"), str(repo)).list()]


class _Git:
    """A git that answers or not, and a clock that goes on while it is asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 100.0
        self.asked = 0
        self.answer: bytes | None = None
        self.takes_s = 0.01
        monkeypatch.setattr(git, "run", self._run)
        monkeypatch.setattr(clock, "monotonic", lambda: self.now_s)

    def _run(self, *_: str) -> bytes | None:
        self.asked += 1
        self.now_s += self.takes_s
        return self.answer


@pytest.fixture
def asked_git(monkeypatch: pytest.MonkeyPatch) -> _Git:
    return _Git(monkeypatch)


def _worktree(path: Path) -> Path:
    path.mkdir()
    (path / ".git").write_bytes(b"gitdir: /repo/.git/worktrees/x\n")
    return path


@pytest.mark.requirement("SPEC-FACT-33")
def test_a_store_hears_of_a_git_that_answers_again(
    tmp_path: Path, asked_git: _Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = _worktree(tmp_path / "tree")
    store = Store(str(tmp_path / "home"), str(tree))
    with pytest.raises(CodebaseUnknown):
        store.write(_FACT)
    asked_git.answer = b"false\n/repo/.git\n"
    with pytest.raises(CodebaseUnknown):
        store.write(_FACT)
    assert 1 == asked_git.asked
    asked_git.now_s += 1.0
    store.write(_FACT)
    assert store.is_certain
    assert path_key("/repo") in store.project_dir
    assert ["project/a"] == [one.id for one in store.list()]
    monkeypatch.setattr(codebase, "_known", {})
    asked_git.answer = None
    assert ["project/a"] == [one.id for one in store.list()], "what is certain is kept"
    assert 2 == asked_git.asked


@pytest.mark.requirement("SPEC-FACT-33")
@pytest.mark.parametrize(("takes_s", "quiet_s"), [(0.01, 1.0), (2.0, 10.0)])
def test_a_git_that_does_not_answer_is_not_asked_again_at_once(
    takes_s: float, quiet_s: float, tmp_path: Path, asked_git: _Git
) -> None:
    asked_git.takes_s = takes_s
    tree = str(_worktree(tmp_path / "tree"))
    for _ in range(3):
        Store(str(tmp_path / "home"), tree).list()
        assert not identify(tree).is_certain
    assert 1 == asked_git.asked
    asked_git.now_s += quiet_s - 0.1
    identify(tree)
    assert 1 == asked_git.asked
    asked_git.now_s += 0.2
    identify(tree)
    assert 2 == asked_git.asked


@pytest.mark.requirement("SPEC-FACT-16")
def test_an_empty_git_folder_is_certainly_no_repository(tmp_path: Path) -> None:
    (tmp_path / "deep" / ".git").mkdir(parents=True)
    (tmp_path / "deep" / "er").mkdir()
    assert identify(str(tmp_path / "deep" / "er")).is_certain
    (tmp_path / ".git").touch()
    with pytest.raises(CodebaseUnknown, match=f"{tmp_path.name} is linked"):
        Store(str(tmp_path / "home"), str(tmp_path / "deep" / "er")).write(_FACT)
