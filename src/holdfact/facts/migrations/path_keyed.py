"""From path-keyed stores to the codebase-keyed one: `projects/<hash>` → `codebases/<key>`.

Stores used to be keyed by the working directory, so every worktree had its own memory. This copies
what belongs to the repository into one place, once, and never changes the old stores. The order is
what makes it safe: everything is read before anything is written, facts come before the ledger,
the ledger before the marker. An interrupted run leaves a store that lacks some facts and is wrong
about none; the next one finishes it.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from holdfact.core.files import make_folder, write_atomic
from holdfact.core.limits import MIGRATION_LOCK_TIMEOUT_S
from holdfact.core.locks import locked
from holdfact.facts.migrations.marker import Marker, read_marker
from holdfact.facts.migrations.report import NOTHING, Copied, MigrationReport, StoreEntry
from holdfact.facts.migrations.stores import OldStore, read_store, scan_stores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.facts.migrations.attribution import Attribution, Source
    from holdfact.facts.migrations.merge import Merge
    from holdfact.facts.migrations.places import Places

__all__ = ["copy_stores", "plan_stores"]


class _Decision(NamedTuple):
    """Everything that is to be written, decided before the first write."""

    merged: Merge
    marker: Marker
    attribution: Attribution
    report: MigrationReport


def copy_stores(places: Places) -> MigrationReport:
    """Copy every fact of every old store that is ours and was not handled yet.

    Raises:
        FileError: a file can't be read or written, or another process is migrating. Where a fact
            could not be read, nothing was written.
        OSError: the folder of the old stores can't be listed.
    """
    marker = read_marker(places.marker)
    if _is_settled(places, marker):
        return _settled(places, marker)
    stores = scan_stores(places.projects)
    if not stores:
        return NOTHING
    make_folder(places.codebase)
    with locked(places.lock, timeout_s=MIGRATION_LOCK_TIMEOUT_S):
        marker = read_marker(places.marker)  # another process may have finished meanwhile
        if _is_settled(places, marker):
            return _settled(places, marker)
        decision = _decide(places, scan_stores(places.projects), marker)
        _apply(places, decision, marker)
        return decision.report


def plan_stores(places: Places) -> MigrationReport:
    """What `copy_stores` would do, told without writing or locking anything."""
    marker = read_marker(places.marker)
    if _is_settled(places, marker):
        return _settled(places, marker)
    stores = scan_stores(places.projects)
    return _decide(places, stores, marker).report if stores else NOTHING


def _is_settled(places: Places, marker: Marker) -> bool:
    """Whether a complete marker still says it all, told by a few stats."""
    from holdfact.facts.migrations.changes import growth, is_changed

    if not marker.complete or any(os.path.isdir(entry.cwd) for entry in marker.pending):
        return False
    known = {(one.store, one.file): one for one in marker.handled}
    ours = {one.store for one in marker.handled}
    entries = {entry.hash: entry for entry in marker.copied}
    for name in {*ours, *places.own, *(name for name in entries if name in places.own)}:
        store = read_store(places.projects, name)
        if store is None:
            continue
        if name in ours:
            changed = any(is_changed(file, known.get((name, file.file))) for file in store.files)
        else:
            changed = name not in entries or growth(store, entries[name]) != (0, 0)
        if changed:
            return False
    return True


def _settled(places: Places, marker: Marker) -> MigrationReport:
    edited = (os.path.join(places.projects, one.store, one.file) for one in _edited(marker))
    present = tuple(path for path in edited if os.path.isfile(path))
    return MigrationReport(pending=marker.pending, edited_in_old_store=present)


def _edited(marker: Marker) -> list:  # type: ignore[type-arg]
    return [one for one in marker.handled if one.edited]


def _decide(places: Places, stores: dict[str, OldStore], marker: Marker) -> _Decision:
    from holdfact.core.errors import FileUnreadable
    from holdfact.facts.migrations.attribution import attribute
    from holdfact.facts.migrations.changes import find_changes
    from holdfact.facts.migrations.destination import read_facts
    from holdfact.facts.migrations.merge import merge
    from holdfact.facts.migrations.sessions import read_sessions

    evidence = read_sessions(places.sessions)
    attribution = attribute(places, stores, evidence)
    for source in attribution.sources:
        if source.store.problem:
            raise FileUnreadable(source.store.problem)
    existing = read_facts(places.memory)
    changes = find_changes(places, attribution.sources, marker, existing)
    merged = merge(changes.incoming, existing)
    by_path = {placed.incoming.path: placed.name for placed in merged.placed}
    handled = tuple(
        one._replace(kept_as=by_path.get(_path(places, one.store, one.file), one.kept_as))
        for one in changes.handled.values()
    )
    decided = Marker(
        complete=not evidence.unreadable,
        copied=_copied_entries(marker, attribution.sources),
        pending=_entries(
            [one for one in attribution.pending if one.store.hash not in marker_names(marker)]
        ),
        handled=tuple(sorted(handled)),
    )
    report = _report(attribution, merged, changes, evidence.unreadable)
    return _Decision(merged, decided, attribution, report)
