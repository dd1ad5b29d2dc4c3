"""The orphan ledger: old stores with facts that no repository is known for.

One file for all codebases, shared with the older program. Entries are added; one goes away when
its store was copied or its folder is gone. Nothing of the store itself is ever changed.
"""

from __future__ import annotations

import os

from holdfact.core import clock
from holdfact.core.files import remove_leftovers, write_atomic
from holdfact.core.limits import MIGRATION_LOCK_TIMEOUT_S
from holdfact.core.locks import locked
from holdfact.core.record import NamedTuple
from holdfact.facts.migrations.marker import encode_json, read_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfact.facts.migrations.places import Places

__all__ = ["Orphan", "read_ledger", "record_orphans"]

_VERSION = 1
_NOTE = (
    "These stores of project memory were keyed by a directory, and no repository is known for it. "
    "Their facts are where they were, below path. A store is copied by itself once its directory "
    "exists again, or when the program is started in it."
)


class Orphan(NamedTuple):
    """One line of the ledger: the store, its folder, its facts, the directory last recorded."""

    hash: str
    path: str
    facts: int
    last_known_cwd: str = ""


def read_ledger(path: str) -> tuple[Orphan, ...]:
    """The orphans on record; none when the ledger is missing, broken or of another version.

    Raises:
        FileUnreadable: it is there, but the system refuses.
    """
    data = read_record(path)
    if data is None:
        return ()
    import json

    try:
        record = json.loads(data)
        if record["version"] != _VERSION:
            return ()
        return tuple(_orphan(item) for item in record["stores"] or [])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return ()


def record_orphans(places: Places, found: Iterable[Orphan], copied: Iterable[str]) -> None:
    """Add the orphans that were found and drop the stores that were copied or are gone.

    Raises:
        FileError: the file system refused, or another process holds the ledger.
    """
    found = tuple(found)
    if not found and not os.path.lexists(places.ledger):
        return
    with locked(places.ledger_lock, timeout_s=MIGRATION_LOCK_TIMEOUT_S):
        before = read_ledger(places.ledger)
        kept = {orphan.hash: orphan for orphan in before if not _is_gone(orphan.path)}
        for name in copied:
            kept.pop(name, None)
        kept.update((orphan.hash, orphan) for orphan in found)
        after = tuple(sorted(kept.values()))
        if after != before:
            remove_leftovers(places.codebases)
            write_atomic(places.ledger, _to_bytes(after))


def _is_gone(path: str) -> bool:
    try:
        os.lstat(path)
    except FileNotFoundError:
        return True
    except OSError:  # it can't be looked at just now
        return False
    return False


def _to_bytes(orphans: tuple[Orphan, ...]) -> bytes:
    stores = [
        {name: value for name, value in orphan._asdict().items() if value != ""}
        for orphan in orphans
    ]
    record = {"version": _VERSION, "updated_at": clock.iso(), "note": _NOTE, "stores": stores}
    return encode_json(record)


def _orphan(item: dict[str, object]) -> Orphan:
    known = {name: item[name] for name in Orphan._fields if name in item}
    orphan = Orphan(**known)  # type: ignore[arg-type]
    texts = (orphan.hash, orphan.path, orphan.last_known_cwd)
    if not all(isinstance(text, str) for text in texts) or not isinstance(orphan.facts, int):
        raise TypeError(f"not an orphan: {item!r}")
    return orphan
