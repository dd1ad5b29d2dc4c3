"""Generations: `index-<n>.db` files and the pointer `CURRENT`, replaced by rename.

**Invariant:** `CURRENT` names a complete, synced file, or nothing. A crash between building and
publishing leaves the old generation in use; what is left over is removed by the next writer.
"""

from __future__ import annotations

import os

from holdfact.core.errors import FileUnreadable, FileUnwritable, LockTimeout, StoreBusy
from holdfact.core.files import make_folder, read_bounded, remove_durable, write_atomic
from holdfact.core.limits import STORE_LOCK_TIMEOUT_S
from holdfact.core.locks import locked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

__all__ = ["Generations"]

_POINTER = "CURRENT"
_LEASE = "lease"
_POINTER_BYTES = 64
_SIDE_FILES = ("", "-wal", "-shm", "-journal")


class Generations:
    """The generations of one instance, below `folder` (created by the first writer)."""

    __slots__ = ("folder",)

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def path(self, number: int) -> str:
        """The file of a generation."""
        return os.path.join(self.folder, f"index-{number}.db")

    def current(self) -> int | None:
        """The published generation; None when there is none, or its file is gone.

        A pointer that can't be understood counts as none: the index is derived.
        """
        try:
            text = read_bounded(os.path.join(self.folder, _POINTER), _POINTER_BYTES)
        except FileUnreadable:
            return None
        number = _number(text.decode("ascii", "replace").strip())
        if number is None or not os.path.isfile(self.path(number)):
            return None
        return number

    def numbers(self) -> list[int]:
        """Every generation that has a file, ascending."""
        try:
            names = os.listdir(self.folder)
        except OSError:
            return []
        return sorted({number for number in map(_number, names) if number is not None})

    def unpublished(self) -> int | None:
        """The newest generation when it is not published: a build that was interrupted."""
        numbers = self.numbers()
        return numbers[-1] if numbers and numbers[-1] != self.current() else None

    def publish(self, number: int) -> None:
        """Make a complete, synced generation the one that everybody reads, and drop the others."""
        write_atomic(os.path.join(self.folder, _POINTER), f"index-{number}.db\n".encode())
        for other in self.numbers():
            if other != number:
                self.discard(other)

    def discard(self, number: int) -> None:
        """Delete a generation's files. A reader that has them open keeps reading them."""
        for suffix in _SIDE_FILES:
            path = self.path(number) + suffix
            try:
                if os.path.lexists(path):
                    remove_durable(path)
            except FileUnwritable:
                continue  # the next writer tries again

    def lease(self, timeout_s: float = STORE_LOCK_TIMEOUT_S) -> AbstractContextManager[None]:
        """Hold the right to write, for one batch or one build.

        Raises:
            StoreBusy: another process kept it for `timeout_s`.
            FileUnwritable: the folder can't be written.
        """
        make_folder(self.folder)
        return _lease(os.path.join(self.folder, _LEASE), timeout_s)


class _lease:  # noqa: N801 - what `lease` returns
    __slots__ = ("_lock", "_path")

    def __init__(self, path: str, timeout_s: float) -> None:
        self._path = path
        self._lock = locked(path, timeout_s=timeout_s)

    def __enter__(self) -> None:
        try:
            self._lock.__enter__()
        except LockTimeout as err:
            raise StoreBusy(f"another process is writing the search index ({err.message})") from err

    def __exit__(self, *error: object) -> None:
        self._lock.__exit__(*error)  # type: ignore[arg-type]


def _number(name: str) -> int | None:
    digits = name.removeprefix("index-").removesuffix(".db")
    if name != f"index-{digits}.db" or not digits.isascii() or not digits.isdigit():
        return None
    return int(digits)
