"""The path-keyed stores: `projects/<hash>/memory/*.md` and the flat `MEMORY.md` before them.

Only regular files count. A symbolic link in a store could make a migration publish any file of
the machine as a memory, so links are named in the report and left where they are.
"""

from __future__ import annotations

import os
import stat

from holdfact.core.record import NamedTuple
from holdfact.facts.names import FLAT_NAME, is_fact_file_name

__all__ = ["OldFile", "OldStore", "read_store", "scan_stores"]


class OldFile(NamedTuple):
    """One fact file of an old store, not yet read.

    Attributes:
        store: the name of the store's folder.
        file: its path below the store: `memory/<name>.md` or `MEMORY.md`.
        path: its absolute path.
        size: bytes.
        mtime_ns: last change of its content, nanoseconds.
    """

    store: str
    file: str
    path: str
    size: int
    mtime_ns: int

    @property
    def is_flat(self) -> bool:
        """Whether this is the flat file of the first version."""
        return self.file == FLAT_NAME


class OldStore(NamedTuple):
    """One path-keyed store that holds facts, or could.

    Attributes:
        hash: the name of its folder.
        root: its absolute path.
        files: its fact files by name, the flat file last.
        links: symbolic links in the place of facts.
        problem: why it can't be listed; empty when it could.
    """

    hash: str
    root: str
    files: tuple[OldFile, ...]
    links: tuple[str, ...]
    problem: str

    @property
    def facts(self) -> int:
        """How many facts it holds, the flat file counted as one."""
        return len(self.files)

    @property
    def is_retired(self) -> bool:
        """Whether its flat file was turned into a fact and put away."""
        return os.path.lexists(os.path.join(self.root, FLAT_NAME + ".v1.bak")) and not any(
            file.is_flat for file in self.files
        )


def scan_stores(projects: str) -> dict[str, OldStore]:
    """Every store below `projects` that has a memory folder or a flat file, by name, sorted.

    Raises:
        OSError: `projects` can't be listed (missing counts as empty).
    """
    try:
        with os.scandir(projects) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    stores = (read_store(projects, name) for name in names)
    return {store.hash: store for store in stores if store is not None}


def read_store(projects: str, name: str) -> OldStore | None:
    """The store `name`, or None when it holds no memory."""
    root = os.path.join(projects, name)
    files: list[OldFile] = []
    links: list[str] = []
    problem = ""
    try:
        has_memory = _list(name, os.path.join(root, "memory"), files, links)
        _add(name, FLAT_NAME, os.path.join(root, FLAT_NAME), files, links)
    except OSError as err:
        has_memory, problem = True, f"can't list {err.filename or root}: {err.strerror}"
    if not has_memory and not files and not links:
        return None
    return OldStore(name, root, tuple(files), tuple(links), problem)


def _list(store: str, folder: str, files: list[OldFile], links: list[str]) -> bool:
    """Add the fact files of a memory folder; whether there is one."""
    status = _status(folder)
    if status is None or not stat.S_ISDIR(status.st_mode):
        if status is not None and stat.S_ISLNK(status.st_mode):
            links.append(folder)
        return False
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if is_fact_file_name(entry.name))
    for name in names:
        _add(store, f"memory/{name}", os.path.join(folder, name), files, links)
    return True


def _add(store: str, file: str, path: str, files: list[OldFile], links: list[str]) -> None:
    status = _status(path)
    if status is not None and stat.S_ISLNK(status.st_mode):
        links.append(path)
    elif status is not None and stat.S_ISREG(status.st_mode):
        files.append(OldFile(store, file, path, status.st_size, status.st_mtime_ns))


def _status(path: str) -> os.stat_result | None:
    """What is there, links not followed; None when nothing is. Any other failure is one."""
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
