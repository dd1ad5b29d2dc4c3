"""The codebase key, against real repositories."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from holdfact.core import git
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
    first = codebase_key(str(tmp_path))
    assert first == codebase_key(str(tmp_path)) == repo_codebase_key(str(tmp_path))
    assert [os.path.realpath(tmp_path)] == asked


@pytest.mark.requirement("SPEC-FACT-16")
def test_global_facts_ask_git_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.setattr(git, "run", lambda *_: pytest.fail("a process was started"))
    store = Store(str(tmp_path / "config"), str(tmp_path))
    os.makedirs(store.global_dir)
    with open(os.path.join(store.global_dir, "x.md"), "wb") as file:
        file.write(b"---\ndescription: d\n---\n")
    assert "d" == store.read("global/x").description
    store.delete("global/x")


def _silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codebase, "_known", {})
    monkeypatch.setattr(git, "run", lambda *_: None)


@pytest.mark.requirement("SPEC-FACT-33")
def test_where_git_is_silent_a_key_that_it_could_change_is_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = _repository(tmp_path / "repo")
    tree = tmp_path / "tree"
    _git(repo, "worktree", "add", "-q", str(tree))
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
    repo = _repository(tmp_path / "repo")
    tree = tmp_path / "tree"
    _git(repo, "worktree", "add", "-q", str(tree))
    (tmp_path / "home" / "projects").mkdir(parents=True)
    _silence(monkeypatch)
    store = Store(str(tmp_path / "home"), str(tree))
    fact = Memory("a", "one", Scope.PROJECT, lifecycle=Lifecycle.DURABLE)
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
