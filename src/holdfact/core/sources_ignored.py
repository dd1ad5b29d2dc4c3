"""What git ignores below a root, and which of it would have been documents."""

from __future__ import annotations

import os

from holdfact.core import git
from holdfact.core.limits import (
    GIT_LIST_TIMEOUT_S,
    MAX_IGNORED_ENTRIES_SEEN,
    MAX_IGNORED_LISTED_PER_FOLDER,
    MAX_SUBMODULES,
)
from holdfact.core.types import Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

__all__ = ["IGNORED", "Ignored", "ask_git", "probe_folder"]

IGNORED = "ignored by git"
# Names a wholly ignored folder once, instead of everything in it; tracked files are never named.
_LIST = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")


class Ignored:
    """The ignored files and folders (each ending with `/`) below a root, relative to it.

    Attributes:
        is_known: false when git could not be asked; then nothing counts as ignored.
        entries_left: how many more entries of ignored folders may be looked at to list them.
    """

    __slots__ = ("_paths", "_submodules", "entries_left", "is_known")

    def __init__(self, paths: Collection[str] = (), *, is_known: bool = True) -> None:
        self._paths = set(paths)
        self._submodules = 0
        self.is_known = is_known
        self.entries_left = MAX_IGNORED_ENTRIES_SEEN

    def has(self, path: str) -> bool:
        """Whether git names exactly this path; a folder's ends with `/`."""
        return path in self._paths

    def covers(self, path: str) -> bool:
        """Whether git names the path or a folder above it."""
        if not self._paths:
            return False
        parts = path.split("/")
        above = ("/".join(parts[:count]) + "/" for count in range(1, len(parts)))
        return path in self._paths or not self._paths.isdisjoint(above)

    def add_submodule(self, base: str, prefix: str) -> bool:
        """Ask git about a submodule too; false when there are too many of them."""
        self._submodules += 1
        if self._submodules > MAX_SUBMODULES:
            return False
        more = ask_git(base, prefix)
        self._paths |= more._paths  # noqa: SLF001 - another of the same class
        self.is_known = self.is_known and more.is_known
        return True


def ask_git(base: str, prefix: str = "") -> Ignored:
    """What git ignores in the folder `prefix` (empty, or ending with `/`) of `base`."""
    answer = git.run(base + "/" + prefix, *_LIST, timeout_s=GIT_LIST_TIMEOUT_S)
    if answer is None:
        return Ignored(is_known=False)
    names = (os.fsdecode(name) for name in answer.split(b"\0") if name)
    return Ignored({prefix + name for name in names})


def probe_folder(
    base: str,
    prefix: str,
    is_document: Callable[[str], bool],
    pruned: Collection[str],
    ignored: Ignored,
) -> list[Skip]:
    """The documents of an ignored folder, as skips: the first few, and a note about the rest.

    Args:
        base: the project's root.
        prefix: the ignored folder, relative to it, ending with `/`.
        is_document: tells whether a path would have been a document.
        pruned: names of folders that are not looked into.
        ignored: holds how many entries may still be looked at.
    """
    found: list[str] = []
    waiting = [prefix]
    while waiting and ignored.entries_left > 0 and len(found) <= MAX_IGNORED_LISTED_PER_FOLDER:
        waiting += _probe(base, waiting.pop(), is_document, pruned, ignored, found)
    found.sort()
    skips = [Skip(path, IGNORED) for path in found[:MAX_IGNORED_LISTED_PER_FOLDER]]
    if waiting or len(found) > MAX_IGNORED_LISTED_PER_FOLDER or ignored.entries_left <= 0:
        skips.append(Skip(prefix, f"{IGNORED}; not everything in it is listed"))
    return skips


def _probe(  # noqa: PLR0913, PLR0917 - one step of probe_folder, with its state
    base: str,
    prefix: str,
    is_document: Callable[[str], bool],
    pruned: Collection[str],
    ignored: Ignored,
    found: list[str],
) -> list[str]:
    below: list[str] = []
    try:
        with os.scandir(base + "/" + prefix) as listing:
            for entry in listing:
                ignored.entries_left -= 1
                if ignored.entries_left <= 0 or len(found) > MAX_IGNORED_LISTED_PER_FOLDER:
                    break
                path = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in pruned:
                        below.append(path + "/")
                elif is_document(path):
                    found.append(path)
    except OSError:
        return []  # what can't be listed was not going to be used
    return below
