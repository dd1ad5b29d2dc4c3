"""What changed since the index was written, told from the disk and from nothing else.

A source whose size, times and file number are as they were read is unchanged, unless it was
modified so shortly before it was read that it may have changed again unseen; then its content
decides. A restored modification time is seen by the change time, which nobody can set.
"""

from __future__ import annotations

import os

from holdfact.core import clock
from holdfact.core.errors import EngineUnavailable
from holdfact.core.limits import RACY_COARSE_NS, RACY_NS, VANISHED_SOURCES
from holdfact.core.record import NamedTuple
from holdfact.core.sources import find_sources
from holdfact.core.types import Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from holdfact.core.errors import HoldfactError
    from holdfact.core.sources import SourceFile
    from holdfact.core.types import Document
    from holdfact.engine.identity import Parameters
    from holdfact.engine.storage.base import Stamp

    # Told (done, total, unit).
    Progress = Callable[[int, int, str], None]

__all__ = [
    "FactSource",
    "Job",
    "Look",
    "Plan",
    "Seen",
    "SyncReport",
    "compare",
    "hidden_folders",
    "is_racy",
    "look",
    "skips_of",
]

# How `core.sources` says that a folder refused.
_UNLISTED = "can't be listed"


class Seen(NamedTuple):
    """How a source looks now. Sizes in bytes, times in nanoseconds."""

    key: str
    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Look(NamedTuple):
    """The sources as they were found at `at_ns`, and what was passed over."""

    files: list[SourceFile]
    facts: list[Seen]
    skipped: list[Skip]
    ignore_known: bool
    at_ns: int

    @property
    def documents(self) -> list[Seen]:
        """The files as sources; not needed where all are as they were."""
        # The tuples themselves: through the class thousands of files would take milliseconds.
        return [tuple.__new__(Seen, (file[0], *file)) for file in self.files]


def _no_reasons() -> dict[str, str]:
    return {}


class FactSource(NamedTuple):
    """The facts, seen cheaply; `load` reads them all, and is called only when one changed.

    `reasons` says by path why facts that `load` leaves out can't be read.
    """

    seen: list[Seen]
    load: Callable[[], Iterable[Document]]
    reasons: Callable[[], Mapping[str, str]] = _no_reasons


class Job(NamedTuple):
    """One sync: the sources as they were found, and who is told."""

    now: Look
    facts: FactSource | None
    progress: Progress | None
    started_s: float


class SyncReport(NamedTuple):
    """What a sync did.

    Attributes:
        added, changed, deleted: documents and facts.
        skipped: sources that were passed over, each with its reason.
        stale: paths of sources that the index does not show as they are now.
        seconds: wall time.
        ignore_known: false when git did not say what it ignores: then nothing counts as ignored.
        is_built: whether this sync built the index; if not, it was there or another process did.
        damage: what was wrong with the index, which was therefore built anew; None when it was
            whole.
        error: why the index could not be made to hold what the disk holds; None when it does.
    """

    added: int
    changed: int
    deleted: int
    skipped: list[Skip]
    stale: list[str]
    seconds: float
    ignore_known: bool = True
    is_built: bool = False
    damage: str | None = None
    error: HoldfactError | None = None


class Plan(NamedTuple):
    """What has to be read, removed, and what is unsure.

    Attributes:
        added: (kind, source) never read before.
        changed: (kind, source) that look different, or racy.
        gone: (kind, key) that no longer exist.
        unsure: paths below folders that can't be listed: kept, and not to be trusted.
    """

    added: list[tuple[str, Seen]]
    changed: list[tuple[str, Seen]]
    gone: list[tuple[str, str]]
    unsure: list[str]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.added or self.changed or self.gone)


def look(parameters: Parameters, facts: Iterable[Seen]) -> Look:
    """Find the sources.

    Raises:
        FileUnreadable: the root can't be listed.
    """
    at_ns = int(clock.now() * 1e9)
    found = find_sources(
        parameters.root,
        parameters.sources,
        parameters.exclude,
        max_file_bytes=parameters.max_file_bytes,
    )
    return Look(found.files, sorted(facts), found.skipped, found.ignore_known, at_ns)


def is_racy(seen: Seen, at_ns: int) -> bool:
    """Whether the source may have changed after it was read at `at_ns` without showing it.

    A modification time that somebody set to the future tells nothing, the change time does.
    """
    is_set = seen.ctime_ns <= at_ns < seen.mtime_ns
    newest = seen.ctime_ns if is_set else max(seen.mtime_ns, seen.ctime_ns)
    step = RACY_NS if newest % 1_000_000_000 else RACY_COARSE_NS
    return newest > at_ns - step


def compare(now: Look, stamps: Sequence[Stamp], root: str) -> Plan:
    """What to do so that the index holds what is on the disk.

    Raises:
        EngineUnavailable: not one document is left of many and the root is empty: a vanished
            mount, not a change.
    """
    plan = Plan([], [], [], [])
    documents = [stamp for stamp in stamps if stamp.kind == "document"]
    facts = [stamp for stamp in stamps if stamp.kind == "fact"]
    _refuse_vanished(now, documents, root)
    hidden = hidden_folders(now)
    _compare_kind(plan, "document", now.documents, documents, hidden)
    _compare_kind(plan, "fact", now.facts, facts, ())
    return plan


def hidden_folders(now: Look) -> tuple[str, ...]:
    """Folders that can't be listed, each ending with `/`."""
    return tuple(
        [skip.path for skip in now.skipped if skip.path.endswith("/") and _UNLISTED in skip.reason]
    )


def _compare_kind(
    plan: Plan, kind: str, seen: list[Seen], stamps: list[Stamp], hidden: tuple[str, ...]
) -> None:
    known = {stamp[1]: stamp for stamp in stamps}  # by key
    for source in seen:
        stamp = known.pop(source[0], None)
        if stamp is None:
            plan.added.append((kind, source))
        elif stamp.is_racy or stamp[2:7] != source[1:]:
            plan.changed.append((kind, source))
    for key, stamp in known.items():
        if hidden and stamp.path.startswith(hidden):
            plan.unsure.append(stamp.path)
        else:
            plan.gone.append((kind, key))


def _refuse_vanished(now: Look, stamps: list[Stamp], root: str) -> None:
    if now.files or len(stamps) < VANISHED_SOURCES:
        return
    with os.scandir(root) as entries:
        if next(entries, None) is not None:
            return
    raise EngineUnavailable(
        f"{root} is empty, but {len(stamps)} documents were indexed there; the index is kept",
        hint="mount it again; if they were really deleted, delete the state folder's engine/",
    )


def skips_of(now: Look, stamps: Iterable[Stamp]) -> list[Skip]:
    """What was passed over when sources were found, and when they were read."""
    read = [Skip(stamp.path, stamp.reason) for stamp in stamps if stamp.reason]
    return sorted({*now.skipped, *read})
