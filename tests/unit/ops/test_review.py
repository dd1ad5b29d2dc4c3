"""Verdicts over conditional facts, with real repositories."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from holdfact.core import clock
from holdfact.core import git as git_runner
from holdfact.facts.fact import Memory
from holdfact.facts.lifecycle import Lifecycle
from holdfact.facts.scope import Scope
from holdfact.facts.store import Store
from holdfact.ops import commands as running
from holdfact.ops.review import Verdict, delete_expired, review

if TYPE_CHECKING:
    from pathlib import Path


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository: `merged` is part of `main`, `open` is not; a tag `v1.0`."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    git(folder, "branch", "merged")
    git(folder, "tag", "v1.0")
    git(folder, "checkout", "-q", "-b", "open")
    git(folder, "commit", "-q", "--allow-empty", "-m", "second")
    git(folder, "checkout", "-q", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "third")
    (folder / "here.txt").write_text("", encoding="utf-8")
    (folder / "two words.txt").write_text("", encoding="utf-8")
    return folder


def judge(
    repo: Path,
    condition: str,
    commands: dict[str, list[str]] | None = None,
    scope: str = "project",
    *,
    is_trusted: bool = True,
) -> tuple[str, str]:
    """The verdict and evidence of one fact with that condition."""
    store = Store(str(repo.parent / "config"), str(repo))
    store.write(
        Memory(
            "one",
            "d",
            Scope(scope),
            "body",
            invalidate_when=condition,
            lifecycle=Lifecycle.CONDITIONAL,
        )
    )
    (verdict,) = review(store, str(repo), commands or {}, is_trusted=is_trusted)
    assert verdict.invalidate_when == condition
    assert verdict.id == f"{scope}/one"
    return verdict.verdict, verdict.evidence


@pytest.mark.requirement("SPEC-REVIEW-1")
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("when file here.txt exists", "expired"),
        ("when file here.txt is gone", "still true"),
        ("when file gone.txt exists", "still true"),
        ("when file gone.txt is gone", "expired"),
        ("when file here.txt/below is gone", "expired"),
        ("when file two words.txt exists", "expired"),
        ("when file `two words.txt` exists", "expired"),
        ("when git branch merged is merged into main", "expired"),
        ("when git branch open is merged into main", "still true"),
        ("when git branch nowhere is merged into main", "cannot tell"),
        ("when git branch merged is merged into nowhere", "cannot tell"),
        ("when tag v1.0 exists", "expired"),
        ("when tag v2.0 exists", "still true"),
        ("when 2000-01-01 has passed", "expired"),
        ("when 2999-12-31 has passed", "still true"),
        ("when 2026-02-30 has passed", "cannot tell"),
        ("when commit 0123456789abcdef is in main", "cannot tell"),
        ("when command unknown succeeds", "cannot tell"),
        ("when issue #84 is closed", "cannot tell"),
        ("When tag v1.0 exists", "cannot tell"),
        ("when tag v1.0 exists, or not", "cannot tell"),
    ],
)
def test_each_condition_of_the_vocabulary(repo: Path, condition: str, expected: str) -> None:
    assert judge(repo, condition)[0] == expected


@pytest.mark.requirement("SPEC-REVIEW-2")
def test_what_is_not_in_the_vocabulary_is_listed_with_its_text(repo: Path) -> None:
    verdict, evidence = judge(repo, "when issue #84 is closed")
    assert verdict == "cannot tell"
    assert "decide it yourself" in evidence
    assert "#84" not in evidence  # the condition is shown beside it


@pytest.mark.requirement("SPEC-REVIEW-1")
def test_a_commit_is_looked_for_in_a_branch(repo: Path) -> None:
    first, second = git(repo, "rev-parse", "merged"), git(repo, "rev-parse", "open")
    assert judge(repo, f"when commit {first} is in main")[0] == "expired"
    assert judge(repo, f"when commit {first[:8].upper()} is in main")[0] == "expired"
    assert judge(repo, f"when commit {second} is in main")[0] == "still true"


def test_a_branch_named_like_a_commit_is_not_taken_for_one(repo: Path) -> None:
    git(repo, "branch", "abcdef0")
    assert judge(repo, "when commit abcdef0 is in main")[0] == "cannot tell"


def test_a_remote_branch_counts_as_it_was_last_fetched(repo: Path) -> None:
    git(repo, "update-ref", "refs/remotes/origin/main", "main")
    assert judge(repo, "when git branch merged is merged into origin/main")[0] == "expired"
    assert judge(repo, "when git branch origin is merged into main")[0] == "cannot tell"


def test_a_shallow_clone_can_tell_only_what_it_has(repo: Path) -> None:
    clone = repo.parent / "clone"
    git(repo, "checkout", "-q", "main")
    git(repo.parent, "clone", "-q", "--depth=1", "--no-single-branch", repo.as_uri(), "clone")
    git(clone, "branch", "merged", "origin/merged")
    verdict, evidence = judge(clone, "when git branch merged is merged into main")
    assert verdict == "cannot tell"
    assert "shallow" in evidence


@pytest.mark.requirement("SPEC-REVIEW-4")
@pytest.mark.parametrize("path", ["../outside.txt", "/etc/passwd", "link/passwd", "a/../../x"])
@pytest.mark.parametrize("state", ["exists", "is gone"])
def test_a_file_outside_the_project_is_not_looked_at(repo: Path, path: str, state: str) -> None:
    os.symlink("/etc", repo / "link")
    (repo.parent / "outside.txt").write_text("", encoding="utf-8")
    assert judge(repo, f"when file {path} {state}")[0] == "cannot tell"


def test_a_file_that_cannot_be_asked_for_is_not_gone(repo: Path) -> None:
    assert judge(repo, f"when file {'x' * 300} is gone")[0] == "cannot tell"


@pytest.mark.requirement("SPEC-REVIEW-4")
def test_in_a_folder_that_can_not_be_listed_no_file_is_gone(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.listdir

    def refuse(path: str) -> list[str]:
        if path == str(repo):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "listdir", refuse)
    assert judge(repo, "when file gone.txt is gone")[0] == "cannot tell"


@pytest.mark.requirement("SPEC-REVIEW-4")
def test_in_an_empty_folder_no_file_is_gone(tmp_path: Path) -> None:
    unmounted = tmp_path / "unmounted"
    unmounted.mkdir()
    verdict, evidence = judge(unmounted, "when file gone.txt is gone")
    assert ("cannot tell", f"{unmounted} is empty") == (verdict, evidence)
    assert judge(unmounted, "when file gone.txt exists")[0] == "still true"


@pytest.mark.requirement("SPEC-REVIEW-4")
@pytest.mark.parametrize("condition", ["when file gone.txt is gone", "when file gone.txt exists"])
def test_without_the_project_nothing_is_known_of_its_files(repo: Path, condition: str) -> None:
    store = Store(str(repo.parent / "config"), str(repo))
    judge(repo, condition)
    (verdict,) = review(store, str(repo / "missing"), {}, is_trusted=True)
    assert ("cannot tell", f"{repo}/missing is not a folder") == (verdict.verdict, verdict.evidence)


@pytest.mark.requirement("SPEC-REVIEW-3")
@pytest.mark.parametrize(
    ("condition", "answer"),
    [
        ("when tag --help exists", "does not exist here"),
        ("when tag -x exists", "does not exist here"),
        ("when tag a..b exists", "not a name that git allows"),
        ("when tag v1* exists", "not a name that git allows"),
        ("when tag v1.0/ exists", "not a name that git allows"),
        ("when git branch --all is merged into main", "there is no branch --all"),
        ("when git branch main is merged into --output=stolen", "no branch --output=stolen"),
        ("when git branch main~1 is merged into main", "not a name that git allows"),
        ("when git branch @{-1} is merged into main", "not a name that git allows"),
        ("when command $(touch${IFS}stolen) succeeds", "a program can't check this condition"),
        ("when command a;b succeeds", "a program can't check this condition"),
    ],
)
def test_a_name_is_never_an_option_an_expression_or_a_script(
    repo: Path, condition: str, answer: str
) -> None:
    before = sorted(os.listdir(repo))
    verdict, evidence = judge(repo, condition)
    assert verdict != "expired"
    assert answer in evidence
    assert sorted(os.listdir(repo)) == before


@pytest.mark.requirement("SPEC-REVIEW-2")
def test_outside_a_repository_git_conditions_cannot_be_told(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    for condition in (
        "when tag v1.0 exists",
        "when git branch a is merged into b",
        "when commit 0123456789 is in main",
    ):
        verdict, evidence = judge(folder, condition)
        assert verdict == "cannot tell"
        assert "not in a git repository" in evidence


@pytest.mark.requirement("SPEC-REVIEW-2")
def test_without_git_nothing_can_be_told(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_runner, "run", lambda *_, **__: None)
    store = Store(str(repo.parent / "config"), str(repo), project_dir="facts")
    store.write(
        Memory(
            "one",
            "d",
            Scope.PROJECT,
            invalidate_when="when tag v1.0 exists",
            lifecycle=Lifecycle.CONDITIONAL,
        )
    )
    (verdict,) = review(store, str(repo), {}, is_trusted=True)
    assert verdict.verdict == "cannot tell"
    assert "git is not installed" in verdict.evidence


@pytest.mark.parametrize(
    ("failing", "condition", "evidence"),
    [
        ("for-each-ref", "when tag v1.0 exists", "could not list"),
        ("rev-list", "when git branch open is merged into main", "could not compare"),
    ],
)
def test_a_question_that_git_cannot_answer_is_not_answered(
    repo: Path, monkeypatch: pytest.MonkeyPatch, failing: str, condition: str, evidence: str
) -> None:
    real = git_runner.run

    def run(folder: str, *arguments: str) -> bytes | None:
        return None if failing in arguments else real(folder, *arguments)

    monkeypatch.setattr(git_runner, "run", run)
    verdict, said = judge(repo, condition)
    assert verdict == "cannot tell"
    assert evidence in said


def test_a_day_has_passed_only_when_the_next_one_began(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "today", lambda: "2026-11-30")
    assert judge(repo, "when 2026-11-30 has passed")[0] == "still true"
    monkeypatch.setattr(clock, "today", lambda: "2026-12-01")
    assert judge(repo, "when 2026-11-30 has passed") == ("expired", "today is 2026-12-01")


@pytest.mark.requirement("SPEC-REVIEW-5")
def test_a_command_of_the_users_configuration_is_run_without_a_shell(repo: Path) -> None:
    program = [sys.executable, "-c", "import os, sys; sys.exit(not os.path.exists(sys.argv[1]))"]
    commands = {
        "there": [*program, "here.txt"],
        "missing": [*program, "gone.txt"],
        "literal": [*program, "$(echo here.txt)"],
        "broken": ["/no/such/program"],
        "empty": [],
    }
    words = {
        "there": "expired",
        "missing": "still true",
        "literal": "still true",
        "broken": "cannot tell",
        "empty": "cannot tell",
    }
    for name, expected in words.items():
        assert judge(repo, f"when command {name} succeeds", commands)[0] == expected


@pytest.mark.requirement("SPEC-REVIEW-8")
def test_a_fact_of_an_untrusted_repository_starts_no_command(repo: Path) -> None:
    commands = {"build": ["touch", "ran"]}
    condition = "when command build succeeds"
    verdict, evidence = judge(repo, condition, commands, is_trusted=False)
    assert verdict == "cannot tell"
    assert "holdfact config trust" in evidence
    assert not (repo / "ran").exists()

    judge(repo, condition, commands)
    assert (repo / "ran").exists()


@pytest.mark.requirement("SPEC-REVIEW-8")
def test_a_global_fact_is_the_users_own_and_starts_a_command(repo: Path) -> None:
    condition = "when command build succeeds"
    assert judge(repo, condition, {"build": ["true"]}, "global", is_trusted=False)[0] == "expired"


@pytest.mark.requirement("SPEC-REVIEW-5")
def test_a_command_that_hangs_is_ended(repo: Path) -> None:
    hanging = [sys.executable, "-c", "import signal; signal.pause()"]
    answer = running.run_command(hanging, str(repo), timeout_s=0.05)
    assert answer == "it took longer than 0.05 s"


def test_a_command_line_as_one_string_is_refused(repo: Path) -> None:
    assert "not a list" in str(running.run_command("true", str(repo)))


@pytest.mark.requirement("SPEC-REVIEW-6")
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("when file here.txt exists", "cannot tell"),
        ("when tag v1.0 exists", "cannot tell"),
        ("when 2000-01-01 has passed", "expired"),
    ],
)
def test_a_global_fact_is_not_judged_by_the_project_at_hand(
    repo: Path, condition: str, expected: str
) -> None:
    assert judge(repo, condition, scope="global")[0] == expected


def test_equal_conditions_are_judged_once_and_other_facts_not_at_all(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(repo.parent / "config"), str(repo))
    for name in ("a", "b"):
        store.write(
            Memory(
                name,
                "d",
                Scope.PROJECT,
                invalidate_when="when command once succeeds",
                lifecycle=Lifecycle.CONDITIONAL,
            )
        )
    store.write(Memory("c", "d", Scope.PROJECT, lifecycle=Lifecycle.DURABLE))
    asked: list[str] = []

    def run_command(_argv: list[str], folder: str) -> int:
        asked.append(folder)
        return 0

    monkeypatch.setattr(running, "run_command", run_command)
    verdicts = review(store, str(repo), {"once": ["true"]}, is_trusted=True)
    assert [one.id for one in verdicts] == ["project/a", "project/b"]
    assert asked == [str(repo)]


def test_evidence_is_one_bounded_line(repo: Path) -> None:
    _, evidence = judge(repo, "when tag \u202e" + "x" * 400 + " exists")
    assert len(evidence) == 240
    assert "\u202e" not in evidence


def test_a_condition_that_is_too_long_is_none(repo: Path) -> None:
    assert judge(repo, "when tag " + "x" * 2000 + " exists")[0] == "cannot tell"


@pytest.mark.requirement("SPEC-REVIEW-7")
def test_only_expired_facts_whose_condition_is_unchanged_are_deleted(repo: Path) -> None:
    store = Store(str(repo.parent / "config"), str(repo))
    conditions = {
        "expired": "when tag v1.0 exists",
        "changed": "when tag v1.0 exists",
        "true": "when tag v2.0 exists",
        "unknown": "when the moon is blue",
    }
    for name, condition in conditions.items():
        store.write(
            Memory(
                name,
                "d",
                Scope.PROJECT,
                invalidate_when=condition,
                lifecycle=Lifecycle.CONDITIONAL,
            )
        )
    verdicts = review(store, str(repo), {}, is_trusted=True)
    verdicts.append(Verdict("project/gone", "when tag v1.0 exists", "expired", ""))
    store.write(
        Memory(
            "changed",
            "d",
            Scope.PROJECT,
            invalidate_when="when tag v3.0 exists",
            lifecycle=Lifecycle.CONDITIONAL,
        )
    )
    deletion = delete_expired(store, verdicts)
    assert deletion.deleted == ("project/expired",)
    assert [identity for identity, _ in deletion.kept] == ["project/changed", "project/gone"]
    assert [memory.name for memory in store.list()] == ["changed", "true", "unknown"]


@pytest.mark.requirement("SPEC-REVIEW-7")
def test_a_fact_that_is_written_while_it_is_deleted_stays(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(repo.parent / "config"), str(repo))
    fact = Memory("one", "d", Scope.GLOBAL, invalidate_when="when 2000-01-01 has passed")
    fact = fact._replace(lifecycle=Lifecycle.CONDITIONAL)
    store.write(fact)
    read = store.read_with_digest

    def read_and_be_overtaken(identity: str) -> tuple[Memory, str]:
        before = read(identity)
        store.write(fact._replace(invalidate_when="when 2999-01-01 has passed"))
        return before

    verdicts = review(store, str(repo), {}, is_trusted=True)
    monkeypatch.setattr(store, "read_with_digest", read_and_be_overtaken)
    deletion = delete_expired(store, verdicts)
    assert deletion.deleted == ()
    assert "changed since it was read" in deletion.kept[0][1]
    assert [memory.name for memory in store.list()] == ["one"]
