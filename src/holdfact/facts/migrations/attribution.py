"""Which old stores belong to this codebase, to nobody known, or to another one.

Nothing is guessed: a store is ours when its name is the hash of our own path, or when a session
recorded the directory it was made for and git says that this directory is in our repository. A
directory that is gone can't be asked; whether it *would* be ours is told by the nearest of its
parents that exists, and only decides who looks again.
"""

from __future__ import annotations

import errno
import os
import stat

from holdfact.core.git import may_be_repository
from holdfact.core.record import NamedTuple
from holdfact.facts.codebase import codebase_key, repo_codebase_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.facts.migrations.places import Places
    from holdfact.facts.migrations.sessions import Evidence
    from holdfact.facts.migrations.stores import OldStore

_GONE = {errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP, errno.ENAMETOOLONG}

__all__ = ["Attribution", "Source", "attribute"]


class Source(NamedTuple):
    """A store that is ours, and the directory that proved it (empty for our own path)."""

    store: OldStore
    cwd: str


class Attribution(NamedTuple):
    """The stores that matter here.

    Attributes:
        sources: the stores that are ours, by name.
        orphans: the stores with facts that nobody is known for, and their last directory.
        pending: the orphans that would be ours if their directory came back.
        unanswered: folders that could not be looked into, or that git should know and did not.
    """

    sources: tuple[Source, ...]
    orphans: tuple[Source, ...]
    pending: tuple[Source, ...]
    unanswered: tuple[str, ...]


def attribute(places: Places, stores: dict[str, OldStore], evidence: Evidence) -> Attribution:
    """Attribute each store, in the order of their names.

    Raises:
        OSError: a recorded directory can't be looked at, which is not the same as gone.
    """
    sources: list[Source] = []
    orphans: list[Source] = []
    unanswered: list[str] = []
    for name in sorted(stores):
        directory = evidence.directories.get(name, "")
        if name in places.own:
            sources.append(Source(stores[name], ""))
        elif not directory or not _is_folder(directory):
            if stores[name].problem:
                unanswered.append(stores[name].root)
            elif stores[name].facts:
                orphans.append(Source(stores[name], directory))
        elif codebase_key(directory) == places.key:
            sources.append(Source(stores[name], directory))
        elif may_be_repository(directory) and repo_codebase_key(directory) is None:
            unanswered.append(directory)
    pending = [orphan for orphan in orphans if orphan.cwd and _would_be_ours(orphan.cwd, places)]
    return Attribution(tuple(sources), tuple(orphans), tuple(pending), tuple(unanswered))


def _would_be_ours(directory: str, places: Places) -> bool:
    here = os.path.dirname(os.path.normpath(directory))
    while not _is_folder(here):  # the root of the file system always is one
        here = os.path.dirname(here)
    return repo_codebase_key(here) == places.key


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.stat(path).st_mode)
    except OSError as err:
        if err.errno in _GONE:
            return False
        raise
