"""A migration that is disturbed at any call ends, after one more run, as an undisturbed one."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from holdfact.core import clock
from holdfact.core.digest import path_key
from holdfact.facts.migrations import migrate
from holdfact.facts.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from holdfact.facts.migrations import MigrationReport

READING = ("read", "fstat", "stat", "lstat", "scandir")
MOST_CALLS = 3_000
MEMORY = "/dev/shm"  # noqa: S108 - each test makes a private folder in it


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every record gets the same time, so trees can be compared byte for byte."""
    monkeypatch.setattr(clock, "now", lambda: 1_800_000_000.0)


class Scene:
    """Two old stores of one repository, an orphan, a flat file, a session.

    Args:
        folder: where it is built; the tree is put back before each run.
    """

    def __init__(self, folder: Path) -> None:
        self.before = folder / "before"
        self.config = folder / "config"
        self.repo = folder / "repo"
        worktree = folder / "wt"
        _git(folder, "init", "-q", "repo")
        _git(self.repo, "commit", "-q", "--allow-empty", "-m", "first")
        _git(self.repo, "worktree", "add", "-q", str(worktree))
        own, other = path_key(os.path.realpath(self.repo)), path_key(os.path.realpath(worktree))
        self.write(f"projects/{own}/memory/foo.md", fact("foo", "older"), 1)
        self.write(f"projects/{own}/memory/same.md", fact("same", "identical"), 1)
        self.write(f"projects/{own}/MEMORY.md", "flat\n", 1)
        self.write(f"projects/{other}/memory/foo.md", fact("foo", "newer"), 2)
        self.write(f"projects/{other}/memory/same.md", fact("same", "identical"), 2)
        self.write(f"projects/{'0' * 16}/memory/lost.md", fact("lost", "whose?"), 2)
        self.write("sessions/a/1.json", f'{{"id": "1", "metadata": {{"cwd": "{worktree}"}}}}', 1)
        self.reset()
        self.migrate()

    def write(self, name: str, text: str, age: int) -> None:
        """A file of the tree before; the larger `age` is the younger."""
        path = self.before / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_700_000_000 + age,) * 2)

    def reset(self) -> None:
        """Put the tree before back."""
        shutil.rmtree(self.config, ignore_errors=True)
        shutil.copytree(self.before, self.config)

    def migrate(self) -> MigrationReport:
        """Run the migration."""
        return migrate(Store(str(self.config), str(self.repo)))


def fact(name: str, body: str) -> str:
    return f"---\nname: {name}\ndescription: d\n---\n\n{body}\n"


def _git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A scene in memory where there is such a folder: a disk would sync thousands of times."""
    if not os.access(MEMORY, os.W_OK):
        yield Scene(tmp_path)
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Scene(Path(folder))


@pytest.mark.requirement("FACT-27", "FACT-28", "SPEC-MIG-8")
@pytest.mark.parametrize("kind", [errno.EIO, errno.ENOSPC])
def test_a_call_that_fails_is_made_good_by_the_next_run(
    scene: Scene, faults: ModuleType, kind: int
) -> None:
    wanted = faults.snapshot(scene.config)
    reported = 0
    for number in range(1, MOST_CALLS):
        scene.reset()
        report = run_with_fault(scene, faults, number, kind, faults.MUTATING)
        if report is None:
            break
        reported += report.error is not None
        is_blind = any("session" in note for note in report.notes)
        if not is_blind:
            assert_nothing_is_wrong(faults.snapshot(scene.config), wanted)
        assert scene.migrate().error is None
        seen = faults.snapshot(scene.config)
        if is_blind:  # it went on without the evidence, so another fact may have kept the name
            assert texts(seen) == texts(wanted)
            assert len(memory(seen)) == len(memory(wanted))
        else:
            assert seen == wanted, f"call {number}"
    assert number > 50
    assert reported > 30


@pytest.mark.requirement("SPEC-MIG-8")
def test_a_read_that_fails_loses_nothing_and_files_nothing_twice(
    scene: Scene, faults: ModuleType
) -> None:
    """Which fact keeps a name may depend on what was found first; what is kept may not."""
    wanted = texts(faults.snapshot(scene.config))
    for number in range(1, MOST_CALLS):
        scene.reset()
        report = run_with_fault(scene, faults, number, errno.EIO, READING)
        if report is None:
            break
        assert texts(faults.snapshot(scene.config)) <= wanted
        assert scene.migrate().error is None
        seen = faults.snapshot(scene.config)
        assert texts(seen) == wanted, f"call {number}"
        assert len(memory(seen)) == len(wanted)
        ledger = json.loads(seen["codebases/orphaned-memory.json"])
        assert [one["hash"] for one in ledger["stores"]] == ["0" * 16]
    assert number > 50


def run_with_fault(
    scene: Scene, faults: ModuleType, number: int, kind: int, calls: tuple[str, ...]
) -> MigrationReport | None:
    """A migration whose call `number` fails; None when it made fewer calls."""
    close = os.close
    count = 0

    def before(name: str) -> object:
        nonlocal count
        count += 1
        if count != number:
            return None
        if name == "close":  # the descriptor is gone all the same
            return lambda fd: _fail(kind, close(fd))
        return lambda *_, **__: _fail(kind)

    with faults.hooked(before, calls):
        report = scene.migrate()
    return report if count >= number else None


def memory(seen: dict[str, bytes]) -> dict[str, bytes]:
    return {
        name: data
        for name, data in seen.items()
        if name.startswith("codebases/") and "/memory/" in name
    }


def texts(seen: dict[str, bytes]) -> set[bytes]:
    """The facts without their `name:` lines."""
    return {re.sub(rb"(?m)^name: .*$", b"", data) for data in memory(seen).values()}


def assert_nothing_is_wrong(seen: dict[str, bytes], wanted: dict[str, bytes]) -> None:
    """Some facts may be missing, but each that is there is right, and the marker is last."""
    for name, data in memory(seen).items():
        assert wanted[name] == data
    if any(name.endswith("memory-migration.json") for name in seen):
        assert set(memory(wanted)) <= set(seen)


@pytest.mark.requirement("FACT-28", "SPEC-MIG-8")
def test_a_killed_run_is_finished_by_the_next(scene: Scene, faults: ModuleType) -> None:
    wanted = faults.snapshot(scene.config)
    for number in range(1, MOST_CALLS):
        scene.reset()
        child = os.fork()
        if not child:
            _die_at(number, scene, faults)
        status = os.waitpid(child, 0)[1]
        assert_nothing_is_wrong(faults.snapshot(scene.config), wanted)
        assert scene.migrate().error is None
        assert faults.snapshot(scene.config) == wanted, f"call {number}"
        if not os.WIFSIGNALED(status):
            break
    assert os.waitstatus_to_exitcode(status) == 0
    assert number > 50


def _die_at(number: int, scene: Scene, faults: ModuleType) -> None:
    count = 0

    def before(_name: str) -> None:
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    with faults.hooked(before):
        scene.migrate()
    os._exit(0)


@pytest.mark.requirement("SPEC-MIG-9")
def test_two_processes_at_once_do_it_once(scene: Scene, faults: ModuleType) -> None:
    wanted = faults.snapshot(scene.config)
    context = multiprocessing.get_context("fork")
    for _ in range(5):
        scene.reset()
        barrier = context.Barrier(3)
        results = context.SimpleQueue()
        workers = [context.Process(target=_race, args=(scene, barrier, results)) for _ in range(3)]
        for worker in workers:
            worker.start()
        copied = sorted(results.get() for _ in workers)
        for worker in workers:
            worker.join()
        assert copied == [0, 0, 4]
        assert faults.snapshot(scene.config) == wanted


def _race(scene: Scene, barrier, results) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - theirs
    barrier.wait()
    report = scene.migrate()
    results.put(len(report.copied) if report.error is None else -1)


def _fail(kind: int, _: None = None) -> NoReturn:
    raise OSError(kind, os.strerror(kind))


@pytest.mark.requirement("SPEC-MIG-8")
def test_after_power_loss_the_marker_never_tells_of_facts_that_are_not_there(
    scene: Scene, faults: ModuleType, power: ModuleType, tmp_path: Path
) -> None:
    shutil.rmtree(scene.before / "projects" / ("0" * 16))  # the ledger names the root's own path

    def prepare(folder: Path) -> None:
        shutil.copytree(scene.before, folder, dirs_exist_ok=True)

    def operation(folder: Path) -> None:
        report = migrate(Store(str(folder), str(scene.repo)))
        assert report.error is None

    def check(seen: dict[str, bytes], old: dict[str, bytes], new: dict[str, bytes]) -> None:
        assert_nothing_is_wrong(seen, new)
        for name, data in old.items():
            if name.endswith("MEMORY.md"):
                assert data in {seen.get(name), seen.get(f"{name}.v1.bak")}
                is_kept = any("notas-legado-v1" in other for other in memory(seen))
                assert is_kept or name in seen
            elif name.startswith("projects/"):
                assert seen[name] == data

    judged = power.power_loss(tmp_path, prepare, operation, check=check, snapshot=faults.snapshot)
    assert judged > 20
