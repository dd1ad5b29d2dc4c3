"""What is new in old stores: which of their files are still to be merged.

Each old file is handled once. It is merged when nothing is known of it; it is passed over when
its bytes were handled before, also when their copy was deleted since; and when it changed after it
was copied, that is reported, because only a person can say which of the two texts is right.
"""

from __future__ import annotations

import os

from holdfact.core.digest import sha256_hex
from holdfact.core.errors import FileError, FileTooLarge
from holdfact.core.files import read_bounded
from holdfact.core.limits import MAX_FACT_READ_BYTES, MAX_MIGRATED_BYTES
from holdfact.core.record import NamedTuple
from holdfact.facts.migrations.marker import Handled
from holdfact.facts.migrations.merge import Incoming, same_fact
from holdfact.facts.migrations.v1 import FACT_NAME, is_blank, wrap
from holdfact.facts.names import FLAT_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfact.facts.migrations.attribution import Source
    from holdfact.facts.migrations.marker import Marker
    from holdfact.facts.migrations.places import Places
    from holdfact.facts.migrations.report import StoreEntry
    from holdfact.facts.migrations.stores import OldFile, OldStore

__all__ = ["Changes", "find_changes", "growth", "is_changed", "is_unresolved"]

_MEMORY_CHARS = len("memory/")
_SUFFIX_CHARS = len(".md")
_NS_PER_S = 1_000_000_000


class Changes(NamedTuple):
    """The old files of our stores, judged.

    Attributes:
        incoming: the facts to merge.
        handled: every file as it is recorded after the merge, by (store, file).
        skipped: paths of files that were handled before.
        edited: paths of files that changed after they were copied.
        unsure: paths of files that another program may have copied, and that are not there now.
    """

    incoming: list[Incoming]
    handled: dict[tuple[str, str], Handled]
    skipped: list[str]
    edited: list[str]
    unsure: list[str]


class _Read(NamedTuple):
    """An old file with its bytes."""

    file: OldFile
    digest: str
    incoming: Incoming | None  # None: nothing in it


def is_changed(file: OldFile, known: Handled | None) -> bool:
    """Whether a file must be read again: it is unknown, or not as it was."""
    return known is None or (file.size, file.mtime_ns) != (known.size, known.mtime_ns)


def is_unresolved(path: str, existing: Mapping[str, bytes]) -> bool:
    """Whether an old file that was edited still says what no fact says.

    It is resolved when the file is gone, or when its text is in the store by now.
    """
    name = os.path.basename(path).removesuffix(".md")
    try:
        data = read_bounded(path, MAX_FACT_READ_BYTES, follow=False)
    except FileError:
        return os.path.lexists(path)
    if name + ".md" == FLAT_NAME:
        return not same_fact(FACT_NAME, wrap(data), existing)
    return not same_fact(name, data, existing)


def growth(store: OldStore, entry: StoreEntry) -> tuple[int, int]:
    """How many facts a store has beyond the count that another program left: (surely, at most).

    That count may include a flat file which was put away since, and no longer counts.
    """
    surely = max(0, store.facts - entry.facts)
    may_hide_one = store.is_retired and store.facts >= max(1, entry.facts)
    return surely, surely + may_hide_one


def find_changes(
    places: Places, sources: Iterable[Source], marker: Marker, existing: Mapping[str, bytes]
) -> Changes:
    """Read what must be read and judge it. Nothing is written.

    Raises:
        FileUnreadable: one file can't be read; then nothing of any store may be merged.
    """
    changes = Changes([], {(one.store, one.file): one for one in marker.handled}, [], [], [])
    known_digests = {one.sha256 for one in marker.handled}
    entries = {entry.hash: entry for entry in marker.copied}
    budget_bytes = MAX_MIGRATED_BYTES
    for source in sources:
        changed = []
        for file in source.store.files:
            known = changes.handled.get((file.store, file.file))
            if not is_changed(file, known):
                is_open = known is not None and known.edited and is_unresolved(file.path, existing)
                (changes.edited if is_open else changes.skipped).append(file.path)
                continue
            budget_bytes -= file.size
            if budget_bytes < 0:
                raise FileTooLarge(f"the facts to migrate exceed {MAX_MIGRATED_BYTES} bytes")
            changed.append(_read(file))
        is_ours = any(one.store == source.store.hash for one in marker.handled)
        entry = entries.get(source.store.hash)
        if entry is not None and not is_ours:
            grown, copied_ns = growth(source.store, entry), _nanoseconds(marker.updated_at)
            changed = _after_another_program(changes, changed, grown, copied_ns, existing)
        for read in changed:
            _judge(changes, places, read, known_digests, existing)
    return changes


def _read(file: OldFile) -> _Read:
    data = read_bounded(file.path, MAX_FACT_READ_BYTES, follow=False)
    digest = sha256_hex(data)
    if not file.is_flat:
        name = file.file[_MEMORY_CHARS:-_SUFFIX_CHARS]
        return _Read(file, digest, Incoming(name, data, file.path, file.mtime_ns))
    if is_blank(data):
        return _Read(file, digest, None)
    return _Read(file, digest, Incoming(FACT_NAME, wrap(data), file.path, file.mtime_ns))


def _judge(
    changes: Changes,
    places: Places,
    read: _Read,
    known_digests: set[str],
    existing: Mapping[str, bytes],
) -> None:
    file, digest = read.file, read.digest
    key = (file.store, file.file)
    known = changes.handled.get(key)
    # Our own flat file is put away after it was copied, so one that is there is a new one.
    is_new = known is None or (file.is_flat and file.store in places.own)
    if known is not None and digest == known.sha256:
        changes.handled[key] = _record(file, digest, known.kept_as)
        changes.skipped.append(file.path)
    elif read.incoming is None or digest in known_digests:
        changes.handled[key] = _record(file, digest)
        changes.skipped.append(file.path)
    elif known is None or is_new:
        changes.handled[key] = _record(file, digest)
        changes.incoming.append(read.incoming)
    elif same_fact(read.incoming.name, read.incoming.data, existing):
        changes.handled[key] = _record(file, digest, known.kept_as)
        changes.skipped.append(file.path)
    else:
        stamps = _record(file, known.sha256, known.kept_as)
        changes.handled[key] = stamps._replace(edited=digest)
        changes.edited.append(file.path)


def _after_another_program(
    changes: Changes,
    reads: list[_Read],
    grown: tuple[int, int],
    copied_ns: int,
    existing: Mapping[str, bytes],
) -> list[_Read]:
    """The files that came after another program copied this store and left only their number.

    What is not there now was either deleted since or is new. As many as the store grew by, the
    newest, are new; for the others nothing is done, so nothing that was deleted comes back, and
    those that changed after the copying are reported.
    """
    surely, at_most = grown
    missing = [
        read
        for read in reads
        if read.incoming is not None
        and not same_fact(read.incoming.name, read.incoming.data, existing)
    ]
    missing.sort(key=_newest_first)
    fresh: list[_Read] = []
    for read in missing:
        is_later = read.file.mtime_ns > copied_ns
        if len(fresh) < surely or (len(fresh) < at_most and is_later):
            fresh.append(read)
        elif is_later:
            changes.unsure.append(read.file.path)
    for read in reads:
        if read not in fresh:
            key = (read.file.store, read.file.file)
            changes.handled[key] = _record(read.file, read.digest)
            changes.skipped.append(read.file.path)
    return fresh


def _record(file: OldFile, digest: str, kept_as: str = "") -> Handled:
    return Handled(file.store, file.file, digest, file.size, file.mtime_ns, kept_as)


def _newest_first(read: _Read) -> tuple[int, str]:
    return -read.file.mtime_ns, read.file.path


def _nanoseconds(stamp: str) -> int:
    """An RFC 3339 time as nanoseconds since the epoch; the far future when it can't be read."""
    from datetime import datetime

    try:
        return int(datetime.fromisoformat(stamp[:19] + "+00:00").timestamp()) * _NS_PER_S
    except ValueError:
        return 1 << 63
