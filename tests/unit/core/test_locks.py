"""Locks: exclusive, timed, gone with their holder."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from holdfact.core import clock
from holdfact.core.errors import FileUnwritable, LockTimeout
from holdfact.core.locks import folder_locked, locked

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import fcntl, os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
fcntl.flock(fd, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def hold(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_lock_is_exclusive_and_ends_with_its_block(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    with locked(path, timeout_s=0), pytest.raises(LockTimeout), locked(path, timeout_s=0):
        raise AssertionError
    with locked(path, timeout_s=0):
        assert os.path.exists(path)


@pytest.mark.parametrize("kind", [locked, folder_locked])
def test_a_wait_in_vain_leaves_nothing_open_and_holds_nothing(
    tmp_path: Path, kind: type[locked]
) -> None:
    """A server that is refused a lock a thousand times still has a file to open."""
    path = str(tmp_path if kind is folder_locked else tmp_path / "lock")
    before = sorted(os.listdir("/dev/fd"))
    with kind(path, timeout_s=0):
        for _ in range(3):
            with pytest.raises(LockTimeout), kind(path, timeout_s=0):
                raise AssertionError
    assert before == sorted(os.listdir("/dev/fd"))
    with kind(path, timeout_s=0):
        assert before != sorted(os.listdir("/dev/fd"))


def test_waiting_ends_with_an_error_that_names_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(clock, "monotonic", lambda: now[0])
    monkeypatch.setattr(clock, "sleep", sleep)
    with hold(tmp_path / "lock") as holder:
        told = pytest.raises(LockTimeout, match=r"lock is held by another process \(1 s\)")
        with told, locked(str(tmp_path / "lock"), timeout_s=1):
            raise AssertionError
        holder.kill()
        holder.communicate()
    assert max(pauses) == 0.1
    assert 1 <= sum(pauses) < 1.2


def test_a_lock_dies_with_its_holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hold(tmp_path / "lock") as holder:

        def killing(_seconds: float) -> None:
            holder.kill()
            holder.wait()

        monkeypatch.setattr(clock, "sleep", killing)
        with locked(str(tmp_path / "lock"), timeout_s=30):
            assert holder.returncode == -9


def test_what_can_not_be_created_or_locked_is_a_typed_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (str(tmp_path), str(tmp_path / "gone" / "lock"), "a\0b"):
        with (
            pytest.raises(FileUnwritable, match="can't create the lock"),
            locked(path, timeout_s=0),
        ):
            raise AssertionError

    def unsupported(_fd: int, _how: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unsupported)
    path = str(tmp_path / "lock")
    with pytest.raises(FileUnwritable, match="no locks available"), locked(path, timeout_s=0):
        raise AssertionError


def test_an_error_of_close_comes_after_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = os.close

    def failing(fd: int) -> None:
        close(fd)
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "close", failing)
        with locked(str(tmp_path / "lock"), timeout_s=0):
            pass
    with locked(str(tmp_path / "lock"), timeout_s=0):
        assert [tmp_path / "lock"] == list(tmp_path.iterdir())


def test_a_lock_that_can_not_be_made_says_why_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileUnwritable, match="no such file") as caught:
        locked(str(tmp_path / "gone" / "lock"), timeout_s=0).__enter__()
    assert caught.value.hint
