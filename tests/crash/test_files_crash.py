"""What files.py promises when calls fail, power goes, the process dies, the disk is full."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import holdfact
from holdfact.core import files

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

OLD = b"old content, before the change\n"
NEW = b"new content\n" * 400


def with_old(folder: Path) -> None:
    (folder / "a.md").write_bytes(OLD)


def empty(_folder: Path) -> None:
    pass


def replace(folder: Path) -> None:
    files.write_atomic(str(folder / "a.md"), NEW)


def create(folder: Path) -> None:
    files.write_atomic(str(folder / "a.md"), NEW, replace=False)


def remove(folder: Path) -> None:
    files.remove_durable(str(folder / "a.md"))


def rename(folder: Path) -> None:
    files.rename_durable(str(folder / "a.md"), str(folder / "b.md"))


def make_folder(folder: Path) -> None:
    files.make_folder(str(folder / "x"))


CASES = [
    pytest.param(with_old, replace, id="replace"),
    pytest.param(empty, replace, id="first-write"),
    pytest.param(empty, create, id="create"),
    pytest.param(with_old, remove, id="remove"),
    pytest.param(with_old, rename, id="rename"),
    pytest.param(empty, make_folder, id="make-folder"),
]


@pytest.mark.requirement("FACT-35", "SPEC-CORE-20")
@pytest.mark.parametrize(("prepare", "operation"), CASES)
def test_a_failing_call_leaves_old_or_new_and_is_a_typed_error(
    faults: ModuleType,
    tmp_path: Path,
    prepare: Callable[[Path], None],
    operation: Callable[[Path], None],
) -> None:
    tried = faults.fault_matrix(tmp_path, prepare, operation)

    assert {"EIO", "ENOSPC", "EACCES"} <= {_name(outcome.kind) for outcome in tried}
    assert any(outcome.error is not None for outcome in tried)


@pytest.mark.requirement("SPEC-CORE-20")
def test_a_failed_write_leaves_no_temporary_file_behind(faults: ModuleType, tmp_path: Path) -> None:
    for outcome in faults.fault_matrix(tmp_path, with_old, replace):
        here = tmp_path / f"{outcome.kind}-{outcome.number}"
        assert [] == faults.temporaries(here), outcome


@pytest.mark.requirement("SPEC-CORE-20")
def test_short_writes_are_continued(faults: ModuleType, tmp_path: Path) -> None:
    tried = faults.fault_matrix(tmp_path, with_old, replace, kinds=(faults.SHORT_WRITE,))

    assert [(1, "write", None)] == [(one.number, one.call, one.error) for one in tried]


@pytest.mark.requirement("FACT-35", "SPEC-CORE-21")
@pytest.mark.parametrize(("prepare", "operation"), CASES)
def test_power_loss_shows_old_or_new_and_what_was_reported_lasts(
    faults: ModuleType,
    power: ModuleType,
    tmp_path: Path,
    prepare: Callable[[Path], None],
    operation: Callable[[Path], None],
) -> None:
    judged = power.power_loss(
        tmp_path, prepare, operation, check=faults.old_or_new, snapshot=faults.snapshot
    )

    assert judged > 1


@pytest.mark.requirement("SPEC-CORE-21")
def test_a_folder_whose_maker_was_killed_is_made_durable_before_it_is_used(
    faults: ModuleType, power: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(Exception):
        pass

    def killed(_folder: str) -> None:
        raise KilledError

    def use(folder: Path) -> None:
        inner = folder / "x" / "y"
        with monkeypatch.context() as patched:
            patched.setattr(files, "fsync_folder", killed)
            with pytest.raises(KilledError):
                files.make_folder(str(inner.parent))
        files.make_folder(str(inner))
        files.write_atomic(str(inner / "a.md"), NEW)

    def lasts(seen: dict[str, bytes], old: dict[str, bytes], new: dict[str, bytes]) -> None:
        if old == new:  # it has returned
            assert new == seen

    assert 1 < power.power_loss(tmp_path, empty, use, check=lasts, snapshot=faults.snapshot)


@pytest.mark.parametrize("forgotten", ["file", "folder"])
def test_the_power_model_sees_a_missing_sync(
    faults: ModuleType,
    power: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    forgotten: str,
) -> None:
    def without_sync(folder: Path) -> None:
        with monkeypatch.context() as patched:
            if forgotten == "folder":
                patched.setattr(files, "fsync_folder", lambda _folder: None)
            else:
                patched.setattr(files, "_write_synced", write_unsynced)
            replace(folder)

    def write_unsynced(path: str, data: bytes, mode: int) -> None:
        import os

        fd = os.open(path, os.O_WRONLY | os.O_CREAT, mode)
        os.write(fd, data)
        os.close(fd)

    with pytest.raises(AssertionError):
        power.power_loss(
            tmp_path, with_old, without_sync, check=faults.old_or_new, snapshot=faults.snapshot
        )


SCRIPTS = {
    "replace": "files.write_atomic(str(folder / 'a.md'), b'new content\\n' * 400)",
    "create": "files.write_atomic(str(folder / 'b.md'), b'new', replace=False)",
    "remove": "files.remove_durable(str(folder / 'a.md'))",
    "rename": "files.rename_durable(str(folder / 'a.md'), str(folder / 'b.md'))",
    "make-folder": "files.make_folder(str(folder / 'x'))",
}


@pytest.mark.requirement("FACT-35", "SPEC-CORE-22")
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_killed_process_leaves_old_or_new(faults: ModuleType, tmp_path: Path, name: str) -> None:
    script = f"from holdfact.core import files\ndef operation(folder):\n    {SCRIPTS[name]}\n"

    killed = faults.kill_matrix(tmp_path, with_old, script)

    assert len(killed) >= 3


FULL = """
import json, os, sys
from holdfact.core import files
from holdfact.core.errors import FileUnwritable
path = os.path.join(sys.argv[1], "a.md")
files.write_atomic(path, b"old")
try:
    files.write_atomic(path, b"x" * 200_000)
except FileUnwritable as err:
    error = [err.code, err.message, err.hint]
left = sorted(os.listdir(sys.argv[1]))
files.write_atomic(path, b"small again")
print(json.dumps({"error": error, "left": left, "now": open(path, "rb").read().decode()}))
"""


@pytest.mark.requirement("FACT-35", "SPEC-CORE-23")
def test_a_full_disk_leaves_the_old_file_and_says_what_to_do(
    faults: ModuleType, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    disk = faults.full_disk(tmp_path / "disk", FULL)
    record_property("full_disk", disk.kind)
    told = json.loads(disk.output)

    assert disk.kind in {"tmpfs", "rlimit"}
    assert ["a.md"] == told["left"]
    assert told["now"] == "small again"
    assert told["error"][0] == "file_unwritable"
    if disk.kind == "tmpfs":
        assert "no space left on device" in told["error"][1]
        assert "free some disk space" in told["error"][2]


WRITER = """
import sys
from holdfact.core.files import write_atomic
for number in range(1_000):
    write_atomic(sys.argv[1], (sys.argv[2] * (1 + number % 50) * 100).encode() + b"\\n")
"""


@pytest.mark.requirement("SPEC-CORE-24")
def test_two_writers_never_tear_a_file(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    files.write_atomic(str(target), b"a\n")
    source = str(Path(holdfact.__file__).parent.parent)
    command = [sys.executable, "-c", WRITER, str(target)]
    writers = [subprocess.Popen([*command, letter], env={"PYTHONPATH": source}) for letter in "ab"]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        content = target.read_bytes()
        assert content.endswith(b"\n")
        assert len(set(content)) == 2, "letters of both writers in one file"
        seen.add(content)

    assert [0, 0] == [writer.wait() for writer in writers]
    assert len(seen) > 2
    assert ["a.md"] == [path.name for path in tmp_path.iterdir()]


def _name(kind: int) -> str:
    import errno

    return errno.errorcode.get(kind, "short write")
