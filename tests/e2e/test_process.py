"""What only a real process shows: streams, signals, other processes, other programs."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import INTERRUPTIBLE, PROGRAM, ended

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.conftest import Process

FACT = ("--scope", "project", "--durable", "--description", "CI uses port 3306")
STOPPED_SOURCES = 600  # enough for the build to tell of more than one part
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str) -> None:
    """Run git, apart from the user's configuration."""
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
        cwd=folder,
        check=True,
        capture_output=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"},
    )


def fake_git(folder: Path, script: str) -> str:
    """A `git` that runs a shell script; the PATH that finds it first."""
    folder.mkdir()
    place = folder / "git"
    place.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    place.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def tree_digest(folder: Path) -> str:
    """One digest of every name, kind, time and content below a folder."""
    digest = hashlib.sha256()
    for place in sorted(folder.rglob("*")):
        status = place.lstat()
        digest.update(f"{place}\0{status.st_mode}\0{status.st_mtime_ns}\0".encode())
        if place.is_file():
            digest.update(place.read_bytes())
    return digest.hexdigest()


@pytest.mark.requirement("SPEC-CLI-28")
def test_the_main_job_from_nothing(process: Process) -> None:
    process.write("docs/deploy.md", "# Deploying\n\nPress the blue button.\n")
    assert process("remember", "ci-port", *FACT).code == 0
    answer = process("recall", "blue button", "--json").json
    assert ["docs/deploy.md"] == [hit["id"] for hit in answer["hits"]]
    assert "project/ci-port — CI uses port 3306" in process("context").stdout


@pytest.mark.requirement("SPEC-CLI-36")
def test_reading_changes_nothing_in_the_project(process: Process) -> None:
    process.write("docs/deploy.md", "# Deploying\n\nPress the blue button.\n")
    process.write("holdfact.toml", "[recall]\nk = 3\n")
    before = tree_digest(process.project)
    for words in (("recall", "button"), ("context",), ("list",), ("status",), ("engine", "sync")):
        assert process(*words).code == 0
    assert before == tree_digest(process.project)


@pytest.mark.requirement("SPEC-CLI-09")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_a_full_disk_behind_standard_output_is_an_error(process: Process) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process("list", stdout=full)
    assert 51 == done.code
    assert done.stderr.splitlines()[0].startswith("holdfact: can't write the answer")
    assert "Traceback" not in done.stderr


@pytest.mark.requirement("SPEC-CLI-09")
def test_a_closed_standard_output_is_an_error(process: Process) -> None:
    shell = ["/bin/sh", "-c", 'exec "$0" "$@" >&-', *PROGRAM, "list"]
    done = subprocess.run(
        shell, cwd=process.project, env=process.environ, stderr=subprocess.PIPE, check=False
    )
    assert 51 == done.returncode
    assert b"standard output is closed" in done.stderr


@pytest.mark.requirement("SPEC-CLI-10")
def test_a_reader_that_goes_away_is_no_error(process: Process) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        done = process("--help", stdout=pipe)
    assert (0, "") == (done.code, done.stderr)


@pytest.fixture(params=["foreground", "background"])
def started_from(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where a script's shell would have started the tests: in the background without Ctrl-C."""
    ignored = request.param == "background"
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.default_int_handler)
    yield request.param
    signal.signal(signal.SIGINT, before)


@needs_git
@pytest.mark.usefixtures("started_from")
@pytest.mark.requirement("SPEC-CLI-08")
def test_ctrl_c_is_130_and_quiet_about_where(process: Process, tmp_path: Path) -> None:
    git(process.project, "init", "-q")
    fifo = tmp_path / "git-runs"
    os.mkfifo(fifo)
    path = fake_git(tmp_path / "bin", f'echo > "{fifo}"; exec sleep 60')
    started = process.start("list", before=INTERRUPTIBLE, environ={"PATH": path})
    fifo.read_bytes()  # the program now waits for git
    started.send_signal(signal.SIGINT)
    done = ended(started)
    assert (130, "") == (done.code, done.stdout)
    assert "Traceback" not in done.stderr


# Runs the program; once the build tells that a part of it is done, Ctrl-C comes.
STOPPED = """
import os, signal
from holdfact.cli import output
from holdfact.cli.main import main

class Stopping(output.Progress):
    def __call__(self, done, total, unit=""):
        if 0 < done < total:
            os.write(2, f"at {done} of {total}\\n".encode())
            os.killpg(0, signal.SIGINT)

output.Progress = Stopping
main()
"""


@pytest.mark.usefixtures("started_from")
@pytest.mark.requirement("SPEC-CLI-08")
def test_ctrl_c_in_a_first_build_is_130_and_the_next_call_goes_on(process: Process) -> None:
    for number in range(STOPPED_SOURCES):
        process.write(f"{number}.md", f"# Note {number}\n\nA fox, number {number}.\n")
    stopped = subprocess.Popen(
        [*INTERRUPTIBLE, sys.executable, "-c", STOPPED, "recall", "fox"],
        cwd=process.project,
        env=process.environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    done = ended(stopped)
    assert (130, "") == (done.code, done.stdout)
    assert done.stderr.startswith("at "), done.stderr
    assert "Traceback" not in done.stderr
    assert STOPPED_SOURCES == process("recall", "fox", "--json").json["total"]
    assert [] == process("status", "--json").json["engine"]["stale"]


@needs_git
@pytest.mark.requirement("SPEC-CLI-37")
def test_a_git_that_hangs_costs_its_time_limit_only(process: Process, tmp_path: Path) -> None:
    git(process.project, "init", "-q")
    path = fake_git(tmp_path / "bin", "exec sleep 60")
    done = process("list", environ={"PATH": path})
    assert (0, "no facts yet\n") == (done.code, done.stdout)


@needs_git
@pytest.mark.requirement("SPEC-CLI-37")
def test_without_git_everything_works(process: Process, tmp_path: Path) -> None:
    git(process.project, "init", "-q")
    process.write("notes.md", "a red fox\n")
    environ = {"PATH": str(tmp_path)}
    assert 0 == process("remember", "ci-port", *FACT, environ=environ).code
    answer = process("recall", "fox", "--json", environ=environ).json
    assert ["notes.md"] == [hit["id"] for hit in answer["hits"]]


@needs_git
@pytest.mark.requirement("FACT-03", "FACT-04")
def test_worktrees_share_facts_and_not_documents(process: Process, tmp_path: Path) -> None:
    git(process.project, "init", "-q")
    process.write("notes.md", "a red fox\n")
    git(process.project, "add", ".")
    git(process.project, "commit", "-q", "-m", "x")
    tree = tmp_path / "tree"
    git(process.project, "worktree", "add", "-q", str(tree))
    (tree / "notes.md").write_text("a green goose\n", encoding="utf-8")
    assert 0 == process("remember", "ci-port", *FACT, folder=tree).code
    assert 0 == process("read", "ci-port").code
    assert 1 == process("recall", "goose", "--json", folder=tree).json["total"]
    assert 0 == process("recall", "goose", "--json").json["total"]
    git(process.project, "worktree", "remove", "--force", str(tree))
    assert 0 == process("read", "ci-port").code


@pytest.mark.requirement("SPEC-CLI-38")
def test_a_home_that_cant_be_written_is_told_and_is_no_empty_answer(
    process: Process, tmp_path: Path
) -> None:
    process.write("notes.md", "a red fox\n")
    (tmp_path / "home").write_text("a file is in the way", encoding="utf-8")
    done = process("recall", "fox", "--json")
    assert (20, "engine_unavailable") == (done.code, done.json["error"]["code"])
    assert str(tmp_path / "home") in done.json["error"]["message"]
    assert 51 == process("remember", "ci-port", *FACT).code
    assert 0 == process("list").code
    assert 0 == process("context").code


@pytest.mark.requirement("SPEC-CLI-38")
def test_an_index_that_cant_be_written_answers_and_says_what_is_stale(process: Process) -> None:
    place = process.write("notes.md", "a red fox\n")
    process.write("other.md", "a red goose\n")
    assert 2 == process("recall", "red", "--json").json["total"]
    (lease,) = process.home.glob("state/*/engine/lease")
    lease.unlink()
    lease.mkdir()
    place.write_text("a green crocodile\n", encoding="utf-8")
    answer = process("recall", "red", "--json").json
    assert ["notes.md"] == answer["stale"]
    assert {"other.md": False, "notes.md": True} == {
        hit["id"]: hit["changed_since_indexed"] for hit in answer["hits"]
    }
    assert all("fox" not in hit["snippet"] for hit in answer["hits"])
    told = process("recall", "red")
    assert "1 source changed since indexed: notes.md" in told.stderr
    assert "changed since it was indexed" in told.stdout


@pytest.mark.requirement("SPEC-CLI-39")
def test_without_a_home_folder_the_cause_is_named(process: Process) -> None:
    environ = {"HOLDFACT_HOME": "relative/home"}
    done = process("list", environ=environ)
    assert (40, "") == (done.code, done.stdout)
    assert "HOLDFACT_HOME" in done.stderr


@pytest.mark.requirement("SPEC-CLI-39", "SPEC-CLI-44")
def test_the_home_folder_is_no_project(process: Process, tmp_path: Path) -> None:
    words = ("remember", "mine", "--scope", "global", "--durable", "--description", "Use tabs")
    assert 0 == process(*words, folder=tmp_path / "user").code
    block = process("context", folder=tmp_path / "user")
    assert (0, True) == (block.code, block.stdout.endswith("- global/mine — Use tabs\n"))
    assert "is your home folder, not a project: only global facts" in block.stderr
    done = process("recall", "tabs", folder=tmp_path / "user")
    assert (2, "") == (done.code, done.stdout)
    assert "hint: " in done.stderr
    assert not (process.home / "state").exists()


@pytest.mark.requirement("SPEC-CLI-40")
def test_what_is_recalled_cant_drive_the_terminal(process: Process) -> None:
    hostile = "\x1b]0;owned\x07 fox \x9b31m \u202e"
    process.write("notes.md", f"{hostile}\n")
    process.write("odd\x1b[31mname.md", "a fox\n")
    words = ("remember", "odd", "--scope", "project", "--durable", "--description", "fox")
    assert 0 == process(*words, "--body", hostile).code
    for command in (
        ("recall", "fox"),
        ("recall", "fox", "--plain"),
        ("recall", "fox", "--json"),
        ("read", "odd"),
        ("read", "odd", "--plain"),
        ("read", "odd", "--json"),
        ("search", "fox"),
        ("list",),
        ("engine", "sync"),
        ("status",),
    ):
        done = process(*command)
        assert 0 == done.code
        unsafe = {char for char in done.stdout + done.stderr if char in "\x1b\x07\x9b\u202e"}
        assert unsafe == set(), command


@pytest.mark.requirement("SPEC-CLI-40")
def test_bytes_that_are_not_utf8_can_be_shown(process: Process) -> None:
    folder = process.home / "global/memory"
    folder.mkdir(parents=True)
    data = b"---\nname: odd\ndescription: caf\xe9 fox\ndurable: true\n---\n\nna\xefve fox\n"
    (folder / "odd.md").write_bytes(data)
    Path(os.fsdecode(os.fsencode(process.project) + b"/b\xff.md")).write_text(
        "fox", encoding="utf-8"
    )
    assert "caf\\xe9 fox" in process("list").stdout
    assert "caf\ufffd fox" == process("read", "odd", "--json").json["description"]
    assert "na\\xefve fox" in process("read", "odd").stdout
    answer = process("recall", "fox", "--json").json
    assert "global/odd" in {hit["id"] for hit in answer["hits"]}
    assert 0 == process("status").code


@pytest.mark.requirement("SPEC-CLI-41")
def test_processes_that_build_at_once_all_answer(process: Process) -> None:
    for number in range(40):
        process.write(f"{number}.md", f"# Note {number}\n\nA fox, number {number}.\n")
    started = [process.start("recall", "fox", "--json") for _ in range(4)]
    totals = [ended(one).json["total"] for one in started]
    assert [40, 40, 40, 40] == totals


@pytest.mark.requirement("SPEC-CLI-41")
def test_processes_that_write_at_once_lose_nothing(process: Process) -> None:
    names = [f"fact-{number}" for number in range(4)]
    started = [process.start("remember", name, *FACT) for name in names]
    assert [0, 0, 0, 0] == [ended(one).code for one in started]
    facts = process("list", "--json").json["facts"]
    assert names == [fact["name"] for fact in facts]


def test_standard_input_is_read_from_a_pipe(process: Process) -> None:
    process.write("notes.md", "a red fox\n")
    assert 1 == process("recall", "-", "--json", stdin=b"fox\n").json["total"]


@pytest.mark.requirement("SPEC-CLI-42")
def test_importing_the_package_loads_none_of_its_modules() -> None:
    check = (
        "import sys; before = set(sys.modules); import holdfact; "
        "print(*sorted(set(sys.modules) - before))"
    )
    environ = {"PYTHONPATH": str(Path(sys.modules["holdfact"].__file__ or "").parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", check], env=environ, capture_output=True, text=True, check=True
    )
    assert {"holdfact"} == set(done.stdout.split()) - {"__future__"}


@pytest.mark.requirement("SPEC-CLI-42")
def test_a_plain_recall_loads_no_slow_module(process: Process) -> None:
    process.write("notes.md", "a red fox\n")
    process("recall", "fox")
    check = (
        "import sys; from holdfact.cli.main import run; code = run(['recall', 'fox', '-q']); "
        "print(*sorted(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", check],
        cwd=process.project,
        env={k: v for k, v in process.environ.items() if not k.startswith("COV")},
        capture_output=True,
        text=True,
        check=True,
    )
    slow = {
        "argparse", "dataclasses", "difflib", "gettext", "hashlib", "inspect", "json", "logging",
        "pathlib", "shutil", "subprocess", "tempfile", "textwrap", "tomllib", "typing",
    }  # fmt: skip
    assert set() == slow & set(done.stderr.split())
