"""Kernel locks: advisory `flock` on a lock file, gone with the process that holds it."""

from __future__ import annotations

import fcntl
import os

from holdfact.core import clock
from holdfact.core.errors import FileUnwritable, LockTimeout
from holdfact.core.files import close_quietly, mend_of, reason_of

__all__ = ["folder_locked", "locked"]

_FIRST_WAIT_S = 0.002
_LONGEST_WAIT_S = 0.1


class locked:  # noqa: N801 - used as a `with` statement's verb
    """`with locked(path):` holds the exclusive lock of `path`: created when missing, never deleted.

    Args:
        path: the lock file.
        timeout_s: longest wait for another process.

    Raises:
        LockTimeout: another process held it for `timeout_s`.
        FileUnwritable: the lock file can't be created or locked.
    """

    __slots__ = ("_fd", "_path", "_timeout_s")
    _FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
    _REFUSED = "can't create the lock"

    def __init__(self, path: str, *, timeout_s: float) -> None:
        self._path = path
        self._timeout_s = timeout_s
        self._fd = -1

    def __enter__(self) -> None:
        """Wait for the lock."""
        try:
            fd = os.open(self._path, self._FLAGS, 0o600)
        except (OSError, ValueError) as err:
            raise FileUnwritable(
                f"{self._REFUSED} {self._path}: {reason_of(err)}", hint=mend_of(err)
            ) from err
        try:
            _wait(fd, self._path, self._timeout_s)
        except BaseException:
            close_quietly(fd)
            raise
        self._fd = fd

    def __exit__(self, *error: object) -> None:
        """Release it."""
        close_quietly(self._fd)  # closing releases the lock


class folder_locked(locked):  # noqa: N801 - used as a `with` statement's verb
    """`with folder_locked(path):` holds the exclusive lock of an existing folder.

    The folder itself is the lock file: nothing is left lying beside the files that are locked.

    Raises:
        LockTimeout: another process held it for `timeout_s`.
        FileUnwritable: the folder is missing, or its file system has no locks.
    """

    __slots__ = ()
    _FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    _REFUSED = "can't lock"


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
                f"can't lock {path}: {reason_of(err)}",
                hint="keep holdfact's folders on a file system with locks (HOLDFACT_HOME)",
            ) from err
        else:
            return
