"""The first version's flat `MEMORY.md`: it becomes one fact, then it is put away.

The flat file is renamed only after its fact is safely written, so an interrupted run repeats
itself without doing anything twice. Nothing is ever overwritten: neither a fact nor an earlier
backup.
"""

from __future__ import annotations

import os

from holdfact.core.digest import sha256_hex
from holdfact.core.files import make_folder, read_bounded, rename_durable, write_atomic
from holdfact.core.limits import MAX_FACT_READ_BYTES, MIGRATION_LOCK_TIMEOUT_S
from holdfact.core.locks import locked
from holdfact.facts import whitespace
from holdfact.facts.migrations.destination import read_facts
from holdfact.facts.migrations.marker import read_marker
from holdfact.facts.migrations.merge import Incoming, merge
from holdfact.facts.migrations.report import NOTHING, Copied, MigrationReport
from holdfact.facts.names import FLAT_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.facts.migrations.places import Places

__all__ = ["FACT_NAME", "find_flat", "is_blank", "plan_flat", "retire_flat", "wrap"]

FACT_NAME = "notas-legado-v1"
# Name and description are the older program's, byte for byte: whichever of the two migrates first,
# the other finds the work done.
_HEADER = f"""---
name: {FACT_NAME}
description: notas migradas de la memoria v1, pendientes de curar
scope: project
type: project
durable: true
---

""".encode()
_BACKUP = FLAT_NAME + ".v1.bak"


def wrap(flat: bytes) -> bytes:
    """The fact that a flat file becomes."""
    return _HEADER + flat.rstrip(b"\n") + b"\n"


def is_blank(flat: bytes) -> bool:
    """Whether a flat file holds nothing but white space."""
    return whitespace.is_blank(flat.decode("utf-8", "surrogateescape"))


def find_flat(places: Places) -> str | None:
    """The path of this workspace's own flat file, or None."""
    for name in places.own:
        path = os.path.join(places.projects, name, FLAT_NAME)
        if os.path.isfile(path) and not os.path.islink(path):
            return path
    return None


def plan_flat(places: Places) -> MigrationReport:
    """What `retire_flat` would do, without doing it."""
    return _retire(places, is_applied=False)


def retire_flat(places: Places) -> MigrationReport:
    """Turn this workspace's own flat file into a fact and rename it to `MEMORY.md.v1.bak`.

    Raises:
        FileError: the file system refused, or another process is migrating.
    """
    if find_flat(places) is None:
        return NOTHING
    make_folder(places.codebase)
    with locked(places.lock, timeout_s=MIGRATION_LOCK_TIMEOUT_S):
        return _retire(places, is_applied=True)


def _retire(places: Places, *, is_applied: bool) -> MigrationReport:
    path = find_flat(places)
    if path is None:  # another process was faster
        return NOTHING
    flat = read_bounded(path, MAX_FACT_READ_BYTES, follow=False)
    report = NOTHING
    if not is_blank(flat):
        report = _keep(places, path, flat, is_applied=is_applied)
    if is_applied:
        rename_durable(path, _backup_name(path))
    return report


def _keep(places: Places, path: str, flat: bytes, *, is_applied: bool) -> MigrationReport:
    if _was_handled(places, path, flat):
        return MigrationReport(skipped=(path,))
    incoming = Incoming(FACT_NAME, wrap(flat), path, 0)
    merged = merge([incoming], read_facts(places.memory))
    if not merged.placed:
        return MigrationReport(skipped=(path,))
    target = merged.placed[0]
    if is_applied:
        make_folder(places.memory)
        write_atomic(os.path.join(places.memory, target.name + ".md"), target.data, replace=False)
    copied = (Copied(path, FACT_NAME, target.name),)
    return MigrationReport(copied=copied, renamed=copied if target.name != FACT_NAME else ())


def _was_handled(places: Places, path: str, flat: bytes) -> bool:
    """Whether this very file was copied before: then its fact may have been deleted since."""
    store, digest = os.path.basename(os.path.dirname(path)), sha256_hex(flat)
    return any(
        handled.store == store and handled.file == FLAT_NAME and handled.sha256 == digest
        for handled in read_marker(places.marker).handled
    )


def _backup_name(path: str) -> str:
    """`MEMORY.md.v1.bak` beside the flat file, numbered when an earlier one is there."""
    folder = os.path.dirname(path)
    backup = os.path.join(folder, _BACKUP)
    number = 2
    while os.path.lexists(backup):
        backup = os.path.join(folder, f"{_BACKUP}.{number}")
        number += 1
    return backup
