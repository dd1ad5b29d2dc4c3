"""Power loss: every state that a disk without a journal may show after an interrupted operation.

    power.power_loss(tmp_path, prepare, operation)

The operation runs once, and its calls are recorded. Then power is lost after each of them. What was
synced is there. Of the rest anything may be: each change of a name (create, rename, link, unlink,
mkdir, rmdir) since its folder was last synced has happened or has not, in any combination; bytes
that were not synced are missing, half there, zeroes, or all there. Each such state is built in a
folder of its own and `check(seen, old, new)` judges it; once the operation has returned, only the
new state is right, since what was reported as written must last.

Only files that are written in one go from their beginning are understood, as core/files.py does.
"""

from __future__ import annotations

import itertools
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Folder = Callable[[Path], object]
    Snapshot = dict[str, bytes]
    Check = Callable[[Snapshot, Snapshot, Snapshot], object]
    Call = Callable[..., Any]
    Names = dict[str, int]  # a path relative to the folder: the number of its file

_FOLDER = 0
_RECORDED = (
    *("open", "write", "fsync", "close", "mkdir", "rmdir"),
    *("rename", "replace", "link", "unlink", "remove"),
)
_MOST_FREE_CHANGES = 8


class Change(NamedTuple):
    """One recorded call: names set and removed, bytes written, or something synced."""

    kind: str  # names | data | sync | sync-folder
    folder: str = ""
    gone: str | None = None
    name: str | None = None
    file: int = _FOLDER
    data: bytes = b""


class Log:
    """What an operation did to a folder."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.changes: list[Change] = []
        self.names: Names = {}
        self.contents: dict[int, bytes] = {}
        self.descriptors: dict[int, tuple[str, int]] = {}
        self.next_file = 1
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root).as_posix()
            self.names[name] = _FOLDER if path.is_dir() else self._new(path.read_bytes())
        self.first_names = dict(self.names)
        self.first_contents = dict(self.contents)

    def _new(self, data: bytes) -> int:
        number = self.next_file
        self.next_file += 1
        self.contents[number] = data
        return number

    def inside(self, path: object) -> str | None:
        """The path relative to the folder, None for what lies elsewhere."""
        text = os.path.abspath(os.fsdecode(path))  # type: ignore[arg-type]
        if text == self.root:
            return ""
        return text[len(self.root) + 1 :] if text.startswith(self.root + "/") else None

    def rename(self, gone: str | None, name: str | None, file: int) -> None:
        """Note a change of names; within one folder it is one step, else two."""
        folders = {os.path.dirname(part) for part in (gone, name) if part is not None}
        if gone is not None:
            self.names.pop(gone, None)
        if name is not None:
            self.names[name] = file
        if len(folders) == 1:
            self.changes.append(Change("names", folders.pop(), gone, name, file))
        elif gone is not None and name is not None:
            self.changes.append(Change("names", os.path.dirname(name), None, name, file))
            self.changes.append(Change("names", os.path.dirname(gone), gone, None, file))

    def opened(self, path: object, flags: int, fd: int) -> None:
        """Note a descriptor, and the file that opening it created or cut."""
        name = self.inside(path)
        if name is None:
            return
        if name not in self.names and flags & os.O_CREAT:
            self.rename(None, name, self._new(b""))
        file = self.names.get(name, _FOLDER)
        if flags & os.O_TRUNC:
            self._data(file, b"")
        self.descriptors[fd] = (name, file)

    def wrote(self, fd: int, data: bytes) -> None:
        """Note bytes added at the end."""
        if fd in self.descriptors:
            file = self.descriptors[fd][1]
            self._data(file, self.contents[file] + data)

    def _data(self, file: int, data: bytes) -> None:
        self.contents[file] = data
        self.changes.append(Change("data", file=file, data=data))

    def synced(self, fd: int) -> None:
        """Note that a file's bytes, or a folder's names, are on the disk."""
        if fd in self.descriptors:
            name, file = self.descriptors[fd]
            kind = "sync-folder" if file == _FOLDER else "sync"
            self.changes.append(Change(kind, folder=name, file=file))


@contextmanager
def recorded(log: Log) -> Iterator[None]:
    """Record the calls of `os` in a log while they really happen."""
    real = {name: getattr(os, name) for name in _RECORDED}
    try:
        for name, original in real.items():
            setattr(os, name, _recording(name, original, log))
        yield
    finally:
        for name, original in real.items():
            setattr(os, name, original)


def _recording(name: str, real: Call, log: Log) -> Call:
    if name in {"rename", "replace", "link"}:
        return _two_names(real, log, keeps_source=name == "link")
    if name in {"unlink", "remove", "rmdir", "mkdir"}:
        return _one_name(real, log, creates=name == "mkdir")
    return _on_descriptor(name, real, log)


def _two_names(real: Call, log: Log, *, keeps_source: bool) -> Call:
    def call(source: str, target: str, **more: object) -> None:
        real(source, target, **more)
        old, new = log.inside(source), log.inside(target)
        if old is not None and new is not None:
            log.rename(None if keeps_source else old, new, log.names[old])

    return call


def _one_name(real: Call, log: Log, *, creates: bool) -> Call:
    def call(path: str, *rest: object, **more: object) -> None:
        real(path, *rest, **more)
        name = log.inside(path)
        if name is None:
            return
        if creates:
            log.rename(None, name, _FOLDER)
        else:
            log.rename(name, None, log.names[name])

    return call


def _on_descriptor(name: str, real: Call, log: Log) -> Call:
    def opened(path: str, flags: int, *rest: object, **more: object) -> int:
        fd: int = real(path, flags, *rest, **more)
        log.opened(path, flags, fd)
        return fd

    def wrote(fd: int, data: bytes) -> int:
        count: int = real(fd, data)
        log.wrote(fd, bytes(data)[:count])
        return count

    def synced(fd: int) -> None:
        real(fd)
        log.synced(fd)

    def closed(fd: int) -> None:
        log.descriptors.pop(fd, None)
        real(fd)

    hooks: dict[str, Call] = {"open": opened, "write": wrote, "fsync": synced, "close": closed}
    return hooks[name]


def states(log: Log, count: int) -> Iterator[tuple[Names, dict[int, bytes]]]:
    """What the disk may show when power is lost after the first `count` changes."""
    happened = log.changes[:count]
    last_sync = {
        change.folder: at for at, change in enumerate(happened) if change.kind == "sync-folder"
    }
    renames = [(at, change) for at, change in enumerate(happened) if change.kind == "names"]
    free = [at for at, change in renames if at > last_sync.get(change.folder, -1)]
    for dropped in _choices(free):
        names = dict(log.first_names)
        for at, change in renames:
            if at not in dropped:
                _apply(names, change)
        for variant in range(4):
            yield names, _contents(log, happened, variant)


def _choices(free: list[int]) -> Iterator[set[int]]:
    if len(free) <= _MOST_FREE_CHANGES:
        for size in range(len(free) + 1):
            yield from map(set, itertools.combinations(free, size))
        return
    for cut in range(len(free) + 1):  # too many to combine: the later ones, or a single one
        yield set(free[cut:])
        yield {free[cut - 1]}


def _apply(names: Names, change: Change) -> None:
    if change.gone is not None:
        names.pop(change.gone, None)
    if change.name is not None:
        names[change.name] = change.file


def _contents(log: Log, happened: list[Change], variant: int) -> dict[int, bytes]:
    safe = dict(log.first_contents)
    latest = dict(log.first_contents)
    for change in happened:
        if change.kind == "data":
            latest[change.file] = change.data
        elif change.kind == "sync":
            safe[change.file] = latest.get(change.file, b"")
    shown: dict[int, bytes] = {}
    for file, data in latest.items():
        is_safe = safe.get(file) == data
        lost = (safe.get(file, b""), data[: len(data) // 2], bytes(len(data)), data)
        shown[file] = data if is_safe else lost[variant]
    return shown


def power_loss(
    folder: Path,
    prepare: Folder,
    operation: Folder,
    *,
    check: Check,
    snapshot: Callable[[Path], Snapshot],
) -> int:
    """Lose power at each point; returns how many states were judged."""
    here = folder / "run"
    here.mkdir()
    prepare(here)
    old = snapshot(here)
    log = Log(here.resolve())
    with recorded(log):
        operation(here)
    new = snapshot(here)
    seen: set[tuple[bool, frozenset[tuple[str, int, bytes]]]] = set()
    for count in range(len(log.changes) + 1):
        is_over = count == len(log.changes)
        for names, contents in states(log, count):
            state = frozenset((name, file, contents.get(file, b"")) for name, file in names.items())
            if (is_over, state) in seen:
                continue
            seen.add((is_over, state))
            there = folder / f"state-{len(seen)}"
            _build(there, names, contents)
            check(snapshot(there), new if is_over else old, new)
    return len(seen)


def _build(there: Path, names: Names, contents: dict[int, bytes]) -> None:
    there.mkdir()
    for name in sorted(names):
        path = there / name
        if not path.parent.is_dir():
            continue  # its folder was never made durable, so nothing leads to it
        if names[name] == _FOLDER:
            path.mkdir()
        else:
            path.write_bytes(contents.get(names[name], b""))
