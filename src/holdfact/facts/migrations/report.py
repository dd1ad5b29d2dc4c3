"""What a migration did, or would do."""

from __future__ import annotations

from holdfact.core.record import NamedTuple

__all__ = ["NOTHING", "Copied", "MigrationReport", "StoreEntry"]


class Copied(NamedTuple):
    """One fact that was copied.

    Attributes:
        source: the path of the old file.
        name: the fact's name there.
        kept_as: its name now; `name` unless that was taken by another fact.
    """

    source: str
    name: str
    kept_as: str


class StoreEntry(NamedTuple):
    """One old store: the name of its folder, the directory it was made for, its facts."""

    hash: str
    cwd: str
    facts: int


class MigrationReport(NamedTuple):
    """The outcome of a migration; all empty when there was nothing to do.

    Attributes:
        copied: the facts that were written, in the order of writing.
        skipped: paths of old files whose fact is already there, or was handled before.
        renamed: the members of `copied` that could not keep their name.
        orphans: stores with facts that no repository is known for.
        pending: the orphans that would be ours if their directory came back.
        edited_in_old_store: paths of old files that changed after they were copied. They are never
            merged by themselves.
        notes: sentences for the user.
        error: why nothing (more) was done; the next start tries again. None when all went well.
    """

    copied: tuple[Copied, ...] = ()
    skipped: tuple[str, ...] = ()
    renamed: tuple[Copied, ...] = ()
    orphans: tuple[StoreEntry, ...] = ()
    pending: tuple[StoreEntry, ...] = ()
    edited_in_old_store: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: str | None = None


NOTHING = MigrationReport()
