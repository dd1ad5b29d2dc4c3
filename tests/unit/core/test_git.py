"""Git is asked safely, and its absence is survived."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from holdfact.core import clock
from holdfact.core import git as git_module

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Git = Callable[..., str]


def fake_git(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "bin").mkdir()
    program = folder / "bin" / "git"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


@pytest.mark.requirement("SPEC-CORE-19")
def test_the_answer_is_what_git_prints(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init")
    assert git_module.run(str(tmp_path), "rev-parse", "--is-inside-work-tree") == b"true\n"
    assert git_module.run(str(tmp_path), "no-such-verb") is None
    assert git_module.run(str(tmp_path / "gone"), "version") is None
    assert git_module.run("a\0b", "version") is None


@pytest.mark.requirement("SPEC-CORE-19")
def test_a_missing_git_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    before = sorted(os.listdir("/dev/fd"))
    assert git_module.run(str(tmp_path), "version") is None
    assert before == sorted(os.listdir("/dev/fd"))


@pytest.mark.requirement("SPEC-CORE-19")
@pytest.mark.parametrize("script", ["read x < fifo", "exec >&-; read x < fifo"])
def test_a_hanging_git_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    os.mkfifo(tmp_path / "fifo")
    fake_git(tmp_path, f"cd {tmp_path}; {script}", monkeypatch)
    started = clock.monotonic()
    assert git_module.run(str(tmp_path), "version", timeout_s=0.2) is None
    assert clock.monotonic() - started < 5
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_no_time_left_is_no_answer(tmp_path: Path) -> None:
    assert git_module.run(str(tmp_path), "version", timeout_s=0) is None


def test_an_endless_answer_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_git(tmp_path, "exec yes", monkeypatch)
    monkeypatch.setattr(git_module, "MAX_GIT_OUTPUT_BYTES", 100_000)
    assert git_module.run(str(tmp_path), "version") is None


def test_where_children_are_not_waited_for_there_is_no_answer(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert git_module.run(str(tmp_path), "version") is None
    finally:
        signal.signal(signal.SIGCHLD, before)


@pytest.mark.requirement("SPEC-CORE-19")
def test_variables_that_redirect_git_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_git(tmp_path, "env", monkeypatch)
    poison = [*git_module._REMOVED, "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0", "GIT_TRACE_SETUP"]  # noqa: SLF001 - the list itself
    for name in poison:
        monkeypatch.setenv(name, "poison")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/kept")
    answer = (git_module.run(str(tmp_path), "x") or b"").decode().splitlines()

    assert [] == [line for line in answer if "poison" in line]
    assert {"GIT_CONFIG_GLOBAL=/kept", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"} <= set(answer)
    assert {"GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1"} <= set(answer)


@pytest.mark.requirement("SPEC-CORE-19")
def test_a_poisoned_environment_does_not_move_the_answer(
    tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "elsewhere"):
        (tmp_path / name).mkdir()
        git(tmp_path / name, "init")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "elsewhere"))
    answer = git_module.run(str(tmp_path / "here"), "rev-parse", "--show-toplevel")
    assert str((tmp_path / "here").resolve()) + "\n" == (answer or b"").decode()


@pytest.mark.requirement("SPEC-CORE-19")
def test_a_malicious_monitor_or_hook_never_runs(tmp_path: Path, git: Git) -> None:
    git(tmp_path, "init")
    (tmp_path / "a.md").touch()
    git(tmp_path, "add", "a.md")
    evil = tmp_path / "evil.sh"
    evil.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n", encoding="utf-8")
    evil.chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(evil))
    git(tmp_path, "config", "core.hooksPath", str(tmp_path))
    listing = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    assert git_module.run(str(tmp_path), *listing) is not None
    assert git_module.run(str(tmp_path), "status", "--porcelain") is not None

    assert not (tmp_path / "ran").exists()
    git(tmp_path, "status")
    assert (tmp_path / "ran").exists(), "the trap itself does not work"


@pytest.mark.requirement("SPEC-CORE-19")
@pytest.mark.parametrize("trap", ["transport", "upload-pack"])
def test_a_partial_clone_fetches_nothing(tmp_path: Path, git: Git, trap: str) -> None:
    """A repository may allow any transport to itself, and some name the program they run."""
    git(tmp_path, "init")
    ran = tmp_path / "ran"
    settings = {"core.repositoryFormatVersion": "1", "extensions.partialClone": "origin"}
    if trap == "transport":
        settings |= {"remote.origin.url": f"ext::touch {ran}", "protocol.ext.allow": "always"}
    else:
        settings |= {"remote.origin.url": str(tmp_path), "protocol.file.allow": "always"}
        settings["remote.origin.uploadpack"] = f"touch {ran};"
    for name, value in settings.items():
        git(tmp_path, "config", name, value)
    missing = "1234567890" * 4
    assert git_module.run(str(tmp_path), "cat-file", "-e", missing) is None

    assert not ran.exists()
    with pytest.raises(subprocess.CalledProcessError):
        git(tmp_path, "cat-file", "-e", missing)
    assert ran.exists(), "the trap itself does not work"


def test_where_git_could_find_a_repository(tmp_path: Path, git: Git) -> None:
    (tmp_path / "plain" / "deep").mkdir(parents=True)
    (tmp_path / "HEAD").touch()  # a file of that name is not a bare repository
    assert not git_module.may_be_repository(str(tmp_path / "plain" / "deep"))
    git(tmp_path, "init", "--bare", "bare")
    assert git_module.may_be_repository(str(tmp_path / "bare" / "refs"))
    (tmp_path / "plain" / ".git").mkdir()
    assert not git_module.may_be_repository(str(tmp_path / "plain" / "deep"))
    (tmp_path / "plain" / ".git" / "objects").mkdir()  # its HEAD was lost
    assert git_module.may_be_repository(str(tmp_path / "plain" / "deep"))
    (tmp_path / "plain" / ".git" / "objects").rmdir()
    (tmp_path / "plain" / ".git").rmdir()
    (tmp_path / "plain" / ".git").touch()
    assert git_module.may_be_repository(str(tmp_path / "plain" / "deep"))


def test_the_working_tree_and_its_git_folder(tmp_path: Path, git: Git) -> None:
    top = tmp_path.resolve() / "top"
    (top / "a").mkdir(parents=True)
    assert git_module.working_tree(str(top / "a")) is None
    git(top, "init")
    git(top, "commit", "--allow-empty", "-m", "x")
    git(top, "worktree", "add", "../tree")
    tree = top.parent / "tree"

    assert str(top) == git_module.working_tree(str(top / "a"))
    assert str(top / ".git") == git_module.git_folder(str(top))
    assert str(tree) == git_module.working_tree(str(tree))
    assert str(top / ".git" / "worktrees" / "tree") == git_module.git_folder(str(tree))


def test_a_git_that_is_neither_folder_nor_pointer_is_no_repository(tmp_path: Path) -> None:
    before = sorted(os.listdir("/dev/fd"))
    assert git_module.git_folder(str(tmp_path)) is None
    for text in ("hello", "", "gitdir: a\0b", "gitdir:x", " gitdir: x", "GITDIR: x"):
        (tmp_path / ".git").write_text(text, encoding="utf-8")
        assert git_module.git_folder(str(tmp_path)) is None
        assert git_module.working_tree(str(tmp_path)) is None
    (tmp_path / ".git").unlink()
    (tmp_path / ".git").mkdir()
    assert git_module.git_folder(str(tmp_path)) is None
    (tmp_path / ".git").rmdir()
    os.mkfifo(tmp_path / ".git")
    assert git_module.git_folder(str(tmp_path)) is None
    assert before == sorted(os.listdir("/dev/fd"))


def test_the_file_where_git_stops(tmp_path: Path) -> None:
    deep = tmp_path.resolve() / "a" / "b"
    deep.mkdir(parents=True)
    assert git_module.link_file(str(deep)) is None
    link = tmp_path.resolve() / ".git"
    link.touch()
    (deep / ".git").mkdir()  # empty: git passes over it
    assert str(link) == git_module.link_file(str(deep))
    (deep / ".git" / "HEAD").touch()
    assert git_module.link_file(str(deep)) is None
