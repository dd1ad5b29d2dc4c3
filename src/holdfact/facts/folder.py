"""One scope's folder of facts: which files are facts, and how each is read.

What is reserved or unfinished is never a fact: `MEMORY.md`, `MEMORY.md.*`, temporary names, and
whatever does not end in exactly `.md`. A symbolic link counts only when it leads to a file inside
the same folder. One file that can't be read never hides another: it becomes a `Problem`.
"""

from __future__ import annotations

import os
import stat

from holdfact.core.errors import FactUnreadable, FileUnreadable
from holdfact.core.files import read_bounded
from holdfact.core.limits import MAX_FACT_READ_BYTES
from holdfact.core.record import NamedTuple
from holdfact.facts.names import SUFFIX, fact_id, is_fact_file_name, valid_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfact.facts.fact import ParsedFact
    from holdfact.facts.scope import Scope

__all__ = ["FactFile", "FactFolder", "Problem", "Stamp"]


class Problem(NamedTuple):
    """A file (or folder) that is not as a fact should be, and why."""

    path: str
    reason: str


class Stamp(NamedTuple):
    """What tells, without reading a fact, whether it changed."""

    id: str
    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class FactFile(NamedTuple):
    """A fact that was read: its name, path, bytes and content."""

    name: str
    path: str
    data: bytes
    parsed: ParsedFact


class FactFolder:
    """The folder of one scope; a missing folder is an empty one.

    Args:
        scope: the scope of every fact in it.
        path: its absolute path.
    """

    __slots__ = ("path", "scope")

    def __init__(self, scope: Scope, path: str) -> None:
        self.scope = scope
        self.path = path

    def path_of(self, name: str) -> str:
        """The path of the fact called `name`, whether or not it exists."""
        return os.path.join(self.path, name + SUFFIX)

    def holds(self, name: str) -> bool:
        """Whether a file, or a link, has exactly that fact's name.

        The folder is asked, not the path: where the file system does not tell upper from lower
        case, the path of `readme` leads to `README.md`.

        Raises:
            FactUnreadable: the folder can't be looked into, so nobody can tell.
        """
        try:
            return name + SUFFIX in os.listdir(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as err:
            raise FactUnreadable(f"can't list {self.path}: {err.strerror}") from err

    def read(self, name: str) -> FactFile:
        """One fact.

        Raises:
            FactUnreadable: the file can't be read, or is not a fact.
        """
        path = self.path_of(name)
        target, stray = self._followed(path) if os.path.islink(path) else (path, "")
        if stray:
            raise FactUnreadable(f"{path}: {stray}")
        return _read(name, path, target)

    def files(self, problems: list[Problem]) -> Iterator[FactFile]:
        """Every fact that can be read, by name in byte order; the others go to `problems`."""
        for entry, target in self._entries(problems):
            try:
                file = _read(entry.name.removesuffix(SUFFIX), entry.path, target)
            except FactUnreadable as err:
                problems.append(Problem(entry.path, err.message.removeprefix(f"{entry.path}: ")))
                continue
            if not file.parsed.is_utf8:
                reason = "not UTF-8 everywhere: those bytes show as U+FFFD; save it as UTF-8"
                problems.append(Problem(file.path, reason))
            if file.parsed.has_conflict:
                reason = "conflict markers of a merge in its header: the last value counts; mend it"
                problems.append(Problem(file.path, reason))
            if not valid_name(file.name):
                reason = (
                    "listed, but can't be asked for by id: rename it to lower-case words joined by "
                    "hyphens, as in ci-uses-port-3306.md"
                )
                problems.append(Problem(file.path, reason))
            yield file

    def stamps(self) -> list[Stamp]:
        """A stamp for each regular fact file, by name in byte order. Nothing is read."""
        found: list[Stamp] = []
        for entry, _ in self._entries([]):
            try:
                status = entry.stat()
            except OSError:  # deleted meanwhile
                continue
            if stat.S_ISREG(status.st_mode):
                found.append(
                    Stamp(
                        fact_id(self.scope, entry.name.removesuffix(SUFFIX)),
                        entry.path,
                        status.st_size,
                        status.st_mtime_ns,
                        status.st_ctime_ns,
                        status.st_ino,
                    )
                )
        return found

    def _entries(self, problems: list[Problem]) -> list[tuple[os.DirEntry[str], str]]:
        """Each fact file, by name in byte order, and the path of what is to be read for it."""
        try:
            with os.scandir(self.path) as found:
                entries = [entry for entry in found if is_fact_file_name(entry.name)]
        except FileNotFoundError:
            return []
        except OSError as err:
            problems.append(Problem(self.path, f"can't list the folder: {err.strerror}"))
            return []
        entries.sort(key=lambda entry: os.fsencode(entry.name.removesuffix(SUFFIX)))
        kept: list[tuple[os.DirEntry[str], str]] = []
        for entry in entries:
            is_link = entry.is_symlink()
            target, stray = self._followed(entry.path) if is_link else (entry.path, "")
            if stray:
                problems.append(Problem(entry.path, stray))
            else:
                kept.append((entry, target))
        return kept

    def _followed(self, path: str) -> tuple[str, str]:
        """Where a symbolic link leads, and why it is not followed: empty inside this folder."""
        target = os.path.realpath(path)
        if not target.startswith(os.path.join(os.path.realpath(self.path), "")):
            return "", "a symbolic link that leads out of the folder of facts is not followed"
        return target, "" if os.path.exists(target) else "a symbolic link that leads nowhere"


def _read(name: str, path: str, target: str) -> FactFile:
    """The fact of the file `target`, which is `path` itself or what that link was found to lead to.

    No link is followed here, so one that takes the file's place meanwhile leads nowhere.
    """
    from holdfact.facts.fact import parse

    try:
        data = read_bounded(target, MAX_FACT_READ_BYTES, follow=False)
    except FileUnreadable as err:
        raise FactUnreadable(err.message, hint="make it a readable file, or delete it") from err
    return FactFile(name, path, data, parse(data, path))
