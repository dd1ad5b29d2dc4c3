"""What is shown of a source is what it holds now: each hit's file is looked at once more.

Between bringing the index up to date and answering a source may change: a build takes seconds, a
long-lived program may ask without a sync. Old text is then not shown.
"""

from __future__ import annotations

import os

from holdfact.engine.plan import Plan, Seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.engine.identity import Parameters
    from holdfact.engine.retrieve import Hit
    from holdfact.engine.storage.sqlite import SqliteStorage

__all__ = ["checked"]

# What stands for bytes of a path that are no text: such a file can't be asked for by its name.
_UNKNOWN = "\ufffd"


def checked(storage: SqliteStorage, parameters: Parameters, hits: list[Hit]) -> list[Hit]:
    """The hits, those whose source is different now without their old text."""
    return [
        hit._replace(snippet="", matches=(), changed_since_indexed=True)
        if not hit.changed_since_indexed and _is_changed(storage, parameters, hit)
        else hit
        for hit in hits
    ]


def _is_changed(storage: SqliteStorage, parameters: Parameters, hit: Hit) -> bool:
    if _UNKNOWN in hit.path:
        return False
    try:
        now = os.stat(os.path.join(parameters.root, hit.path))
    except OSError:
        return True
    look = (now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino)
    if storage.look(hit.kind, hit.id) == look:
        return False
    if hit.kind == "fact":
        return True
    from holdfact.engine.ingest import settled

    seen = Seen(hit.id, hit.path, *look)
    return bool(settled(storage, parameters, Plan([], [("document", seen)], [], []), None).changed)
