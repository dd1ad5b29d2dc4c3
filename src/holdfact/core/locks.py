"""Kernel locks: advisory `flock` on a lock file, gone with the process that holds it."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager

from holdfact.core import clock
from holdfact.core.errors import FileUnwritable, LockTimeout
from holdfact.core.files import close_quietly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["folder_locked", "locked"]

_FIRST_WAIT_S = 0.002
_LONGEST_WAIT_S = 0.1


@contextmanager
def locked(path: str, *, timeout_s: float) -> Iterator[None]:
    """Hold the exclusive lock of `path` (created when missing, never deleted).

    Raises:
        LockTimeout: another process held it for `timeout_s`.
        FileUnwritable: the lock file can't be created or locked.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except (OSError, ValueError) as err:
        raise FileUnwritable(f"can't create the lock {path}: {_reason(err)}") from err
    try:
        _wait(fd, path, timeout_s)
        yield
    finally:
        close_quietly(fd)  # closing releases the lock


@contextmanager
def folder_locked(path: str, *, timeout_s: float) -> Iterator[None]:
    """Hold the exclusive lock of an existing folder: the folder itself is the lock file.

    Nothing is created, so nothing is left lying beside the files that are locked.

    Raises:
        LockTimeout: another process held it for `timeout_s`.
        FileUnwritable: the folder is missing, or its file system has no locks.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except (OSError, ValueError) as err:
        raise FileUnwritable(f"can't lock {path}: {_reason(err)}") from err
    try:
        _wait(fd, path, timeout_s)
        yield
    finally:
        close_quietly(fd)


def _wait(fd: int, path: str, timeout_s: float) -> None:
    deadline = clock.monotonic() + timeout_s
    pause = _FIRST_WAIT_S
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as err:
            if clock.monotonic() >= deadline:
                raise LockTimeout(f"{path} is held by another process ({timeout_s:g} s)") from err
            clock.sleep(pause)
            pause = min(pause * 2, _LONGEST_WAIT_S)
        except OSError as err:  # a file system without locks
            raise FileUnwritable(
                f"can't lock {path}: {_reason(err)}",
                hint="keep holdfact's folders on a file system with locks (HOLDFACT_HOME)",
            ) from err
        else:
            return


def _reason(err: OSError | ValueError) -> str:
    return (isinstance(err, OSError) and err.strerror) or str(err)
