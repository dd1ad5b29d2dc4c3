"""From path-keyed stores to the codebase-keyed one: `projects/<hash>` → `codebases/<key>`.

Stores used to be keyed by the working directory, so every worktree had its own memory. This copies
what belongs to the repository into one place, once, and never changes the old stores. The order is
what makes it safe: everything is read before anything is written, facts come before the ledger,
the ledger before the marker. An interrupted run leaves a store that lacks some facts and is wrong
about none; the next one finishes it.
"""

from __future__ import annotations

import os

from holdfact.core.files import make_folder, remove_leftovers, write_atomic
from holdfact.core.limits import MIGRATION_LOCK_TIMEOUT_S
from holdfact.core.locks import locked
from holdfact.core.record import NamedTuple
from holdfact.facts.migrations.ledger import Orphan, record_orphans
from holdfact.facts.migrations.marker import Marker, read_marker, write_marker
from holdfact.facts.migrations.report import NOTHING, Copied, MigrationReport, StoreEntry
from holdfact.facts.migrations.stores import OldStore, read_store, scan_stores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.facts.migrations.attribution import Attribution, Source
    from holdfact.facts.migrations.changes import Changes
    from holdfact.facts.migrations.marker import Handled
    from holdfact.facts.migrations.merge import Merge
    from holdfact.facts.migrations.places import Places
    from holdfact.facts.migrations.sessions import Evidence

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
    """Whether the marker still says all that can be said, told by a few stats."""
    from holdfact.facts.migrations.changes import growth, is_changed
    from holdfact.facts.migrations.sessions import is_still_broken

    is_final = marker.complete or (
        marker.waiting and all(is_still_broken(session) for session in marker.waiting)
    )
    if not is_final or any(os.path.isdir(entry.cwd) for entry in marker.pending):
        return False
    known = {(one.store, one.file): one for one in marker.handled}
    ours = {one.store for one in marker.handled}
    entries = {entry.hash: entry for entry in marker.copied}
    for name in {*ours, *places.own}:
        store = read_store(places.projects, name)
        if store is None:
            continue
        if store.problem:
            return False
        if name in ours:
            if any(is_changed(file, known.get((name, file.file))) for file in store.files):
                return False
        elif name not in entries or any(growth(store, entries[name])):
            return False
    return True


def _settled(places: Places, marker: Marker) -> MigrationReport:
    """The report of a migration that was done before: what still waits for a person."""
    edited = [one for one in marker.handled if one.edited]
    if not edited:
        return MigrationReport(pending=marker.pending)
    from holdfact.facts.migrations.changes import is_unresolved
    from holdfact.facts.migrations.destination import read_facts

    existing = read_facts(places.memory)
    paths = [os.path.join(places.projects, one.store, one.file) for one in edited]
    waiting = tuple(path for path in paths if is_unresolved(path, existing))
    return MigrationReport(pending=marker.pending, edited_in_old_store=waiting)


def _decide(places: Places, stores: dict[str, OldStore], marker: Marker) -> _Decision:
    from holdfact.core.errors import FileUnreadable
    from holdfact.facts.migrations.attribution import attribute
    from holdfact.facts.migrations.changes import find_changes
    from holdfact.facts.migrations.destination import read_facts
    from holdfact.facts.migrations.merge import merge
    from holdfact.facts.migrations.sessions import read_sessions

    evidence = read_sessions(places.sessions)
    attribution = attribute(places, _not_copied(stores, marker, places), evidence)
    for source in attribution.sources:
        if source.store.problem:
            raise FileUnreadable(source.store.problem)
    existing = read_facts(places.memory)
    changes = find_changes(places, attribution.sources, marker, existing)
    merged = merge(changes.incoming, existing)
    is_blind = bool(evidence.unreadable or attribution.unanswered)
    decided = Marker(
        complete=not (is_blind or evidence.broken),
        copied=_copied_entries(marker, attribution.sources, changes),
        pending=_entries(attribution.pending),
        handled=_handled(places, changes, merged),
        waiting=() if is_blind else evidence.broken,
    )
    return _Decision(merged, decided, attribution, _report(attribution, merged, changes, evidence))


def _not_copied(stores: dict[str, OldStore], marker: Marker, places: Places) -> dict[str, OldStore]:
    """The stores without the ones that were copied before and whose directory is gone since.

    Nothing more is to be learnt about those; as orphans they would only alarm.
    """
    gone = {
        entry.hash: entry
        for entry in marker.copied
        if entry.hash not in places.own and entry.cwd and not os.path.isdir(entry.cwd)
    }
    return {
        name: store
        for name, store in stores.items()
        if name not in gone or store.facts > gone[name].facts
    }


def _copied_entries(
    marker: Marker, sources: tuple[Source, ...], changes: Changes
) -> tuple[StoreEntry, ...]:
    """The shared record of the stores; a store that gave nothing new keeps its line."""
    entries = {entry.hash: entry for entry in marker.copied}
    for store, cwd in sources:
        before = entries.get(store.hash)
        folder = store.root + os.sep
        is_new = before is None or any(one.path.startswith(folder) for one in changes.incoming)
        facts = store.facts if before is None or is_new else before.facts
        directory = cwd or (before.cwd if before else "")
        entries[store.hash] = StoreEntry(store.hash, directory, facts)
    return tuple(sorted(entries.values()))


def _entries(orphans: tuple[Source, ...]) -> tuple[StoreEntry, ...]:
    return tuple(StoreEntry(store.hash, cwd, store.facts) for store, cwd in orphans)


def _handled(places: Places, changes: Changes, merged: Merge) -> tuple[Handled, ...]:
    names = merged.names()
    return tuple(
        sorted(
            one._replace(
                kept_as=names.get(os.path.join(places.projects, one.store, one.file), one.kept_as)
            )
            for one in changes.handled.values()
        )
    )


def _report(
    attribution: Attribution, merged: Merge, changes: Changes, evidence: Evidence
) -> MigrationReport:
    copied = tuple(
        Copied(placed.incoming.path, placed.incoming.name, placed.name) for placed in merged.placed
    )
    return MigrationReport(
        copied=copied,
        skipped=(*changes.skipped, *(fact.path for fact, _ in merged.skipped)),
        renamed=tuple(one for one in copied if one.kept_as != one.name),
        orphans=_entries(attribution.orphans),
        pending=_entries(attribution.pending),
        edited_in_old_store=(*changes.edited, *changes.unsure),
        notes=_notes(attribution, evidence),
    )


def _notes(attribution: Attribution, evidence: Evidence) -> tuple[str, ...]:
    links = [link for source in attribution.sources for link in source.store.links]
    notes = [f"{link} is a symbolic link and was not migrated" for link in links]
    if evidence.broken:
        notes.append(
            f"{len(evidence.broken)} session files are not whole and may name the directory of an "
            f"old store; they are looked at again when one changes: {evidence.broken[0].path}"
        )
    if evidence.unreadable:
        notes.append(f"{evidence.unreadable} session files can't be read; the next start retries")
    notes.extend(
        f"{folder} could not be looked into; the next start tries again"
        for folder in attribution.unanswered
    )
    return tuple(notes)


def _apply(places: Places, decision: _Decision, before: Marker) -> None:
    if decision.merged.placed:
        make_folder(places.memory)
    for placed in decision.merged.placed:
        path = os.path.join(places.memory, placed.name + ".md")
        write_atomic(path, placed.data, replace=False)
    orphans = [
        Orphan(store.hash, store.root, store.facts, cwd)
        for store, cwd in decision.attribution.orphans
    ]
    copied = [source.store.hash for source in decision.attribution.sources]
    record_orphans(places, orphans, copied)
    if decision.marker != before._replace(updated_at=""):
        remove_leftovers(places.codebase)
        write_marker(places.marker, decision.marker)
