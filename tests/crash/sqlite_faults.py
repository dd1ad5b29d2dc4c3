"""Faults below SQLite: its file system fails, kills the process, or loses what was not synced.

`Faults` counts every write, sync and truncation that SQLite makes, through a VFS on top of the real
one. At call number `at` it does what `how` says:

- `full`: the call fails as on a full disk, and so do all that follow;
- `io`: the call fails with an I/O error, once;
- `kill`: SIGKILL before the call;
- `power`: unsynced writes are taken back, all or each by the dice of `seed`, then SIGKILL.
"""

from __future__ import annotations

import os
import random
import signal
from typing import Any

import apsw

_BASE = "unix"  # what SQLite calls the real file system on Linux and macOS


class Faults:
    """A fault to come; `calls` tells how many calls there were."""

    def __init__(self, how: str, at: int, seed: int = 0) -> None:
        self.how = how
        self.at = at
        self.calls = 0
        self.dice = random.Random(seed)  # noqa: S311 - a test's dice
        self.undo: dict[str, list[tuple[int, bytes, int]]] = {}
        self.vfs = _Vfs(self)

    def call(self) -> None:
        """Before each call."""
        self.calls += 1
        if self.how == "full" and self.calls >= self.at:
            raise apsw.FullError("no space left")
        if self.calls != self.at:
            return
        if self.how == "io":
            raise apsw.IOError("the disk failed")
        if self.how == "power":
            self._lose()
        os.kill(os.getpid(), signal.SIGKILL)

    def _lose(self) -> None:
        is_all = self.dice.random() < 0.5
        for path, writes in self.undo.items():
            fd = os.open(path, os.O_RDWR)
            for offset, before, size in reversed(writes):
                if is_all or self.dice.random() < 0.5:
                    os.pwrite(fd, before, offset)
                    if is_all:
                        os.ftruncate(fd, size)
            os.close(fd)

    def wrote(self, path: str, offset: int, length: int) -> None:
        """Remember what a write is about to cover."""
        fd = os.open(path, os.O_RDONLY)
        size = os.fstat(fd).st_size
        self.undo.setdefault(path, []).append((offset, os.pread(fd, length, offset), size))
        os.close(fd)

    def close(self) -> None:
        """Take the file system away again."""
        self.vfs.unregister()


class _Vfs(apsw.VFS):
    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        super().__init__("faults", _BASE, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: ANN401, N802 - SQLite's name
        return _File(name, flags, self._faults)


class _File(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], faults: Faults) -> None:  # noqa: ANN401 - SQLite's
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self._faults = faults
        super().__init__(_BASE, name, flags)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: ANN401, N802 - SQLite's name
        self._faults.call()
        self._faults.wrote(self._path, offset, len(data))
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        self._faults.call()
        super().xSync(flags)
        self._faults.undo.pop(self._path, None)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        self._faults.call()
        super().xTruncate(newsize)
