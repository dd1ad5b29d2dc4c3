"""The marker: what was copied into a codebase, read and written by the older program too.

The fields `version` to `pending_stores` are shared. Under `holdfact` stands what the other side
does not know and ignores: the digest of each old file that was handled, with the name it got. A
file is handled once, whatever happens to its copy later, so a deleted fact never comes back.

A marker that can't be trusted counts as lost: merging again is safe, a wrong seal is not.
"""

from __future__ import annotations

from holdfact.core import clock
from holdfact.core.digest import KEY_HEX_DIGITS
from holdfact.core.errors import FileTooLarge, FileUnreadable
from holdfact.core.files import read_bounded, write_atomic
from holdfact.core.limits import MAX_MIGRATION_RECORD_BYTES
from holdfact.core.record import NamedTuple
from holdfact.facts.migrations.report import StoreEntry
from holdfact.facts.migrations.sessions import Broken

__all__ = [
    "Handled",
    "Marker",
    "encode_json",
    "read_marker",
    "read_record",
    "to_bytes",
    "write_marker",
]

_VERSION = 1
_HEX = set("0123456789abcdef")
_STAMP_SHAPE = "0000-00-00T00:00:00"
_DIGEST_HEX_DIGITS = 64


class Handled(NamedTuple):
    """One old file that was dealt with.

    Attributes:
        store: the name of its store.
        file: its path below the store.
        sha256: the digest of its bytes when it was dealt with.
        size: bytes, and
        mtime_ns: last change, when it was last looked at: equal stamps mean equal bytes.
        kept_as: the name its fact was copied to; empty when it was already there.
        edited: the digest of its bytes after a later change, empty while there was none.
    """

    store: str
    file: str
    sha256: str
    size: int
    mtime_ns: int
    kept_as: str = ""
    edited: str = ""


class Marker(NamedTuple):
    """The record of a codebase's migration; empty and incomplete when there is none.

    Attributes:
        updated_at: when it was written, RFC 3339; empty when it never was.
        complete: whether everything that could be decided was.
        copied: the stores that were copied, by name.
        pending: the stores to look at again when their directory comes back.
        handled: the old files that were dealt with, by store and path.
        waiting: the broken sessions that alone keep it incomplete: until one of them changes,
            looking again would tell nothing.
    """

    updated_at: str = ""
    complete: bool = False
    copied: tuple[StoreEntry, ...] = ()
    pending: tuple[StoreEntry, ...] = ()
    handled: tuple[Handled, ...] = ()
    waiting: tuple[Broken, ...] = ()


def read_marker(path: str) -> Marker:
    """The marker at `path`; an empty one when it is missing, broken or of another version.

    Raises:
        FileUnreadable: it is there, but the system refuses: then nothing is known, and to go on as
            if it were lost would bring deleted facts back.
    """
    data = read_record(path)
    if data is None:
        return Marker()
    import json

    try:
        return _parse(json.loads(data))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Marker()


def read_record(path: str) -> bytes | None:
    """The bytes of a record; None when it is missing or far too large to be one.

    Raises:
        FileUnreadable: the system refuses.
    """
    try:
        return read_bounded(path, MAX_MIGRATION_RECORD_BYTES)
    except FileTooLarge:
        return None
    except FileUnreadable as err:
        if isinstance(err.__cause__, FileNotFoundError):
            return None
        raise


def write_marker(path: str, marker: Marker) -> None:
    """Write the marker, stamped with the present time.

    Raises:
        FileUnwritable: the file system refused; an older marker is unchanged.
    """
    write_atomic(path, to_bytes(marker._replace(updated_at=clock.iso())))


def to_bytes(marker: Marker) -> bytes:
    """The marker's file: the shared fields first, empty lists left out."""
    record: dict[str, object] = {
        "version": _VERSION,
        "updated_at": marker.updated_at,
        "complete": marker.complete,
    }
    if marker.copied:
        record["copied_stores"] = [_entry_object(entry) for entry in marker.copied]
    if marker.pending:
        record["pending_stores"] = [_entry_object(entry) for entry in marker.pending]
    files = [_handled_object(handled) for handled in sorted(marker.handled)]
    own: dict[str, object] = {"copied_files": files}
    if marker.waiting:
        own["broken_sessions"] = [session._asdict() for session in marker.waiting]
    record["holdfact"] = own
    return encode_json(record)


def encode_json(record: object) -> bytes:
    """JSON with two spaces of indent, characters that HTML treats specially escaped, and LF."""
    import json

    text = json.dumps(record, ensure_ascii=False, indent=2)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode("utf-8", "replace") + b"\n"


def _entry_object(entry: StoreEntry) -> dict[str, object]:
    known = {"cwd": entry.cwd} if entry.cwd else {}
    return {"hash": entry.hash, **known, "facts": entry.facts}


def _handled_object(handled: Handled) -> dict[str, object]:
    return {name: value for name, value in handled._asdict().items() if value != ""}


def _parse(record: dict[str, object]) -> Marker:
    if record["version"] != _VERSION or isinstance(record["version"], bool):
        raise ValueError("another version")
    return Marker(
        updated_at=_stamp(record["updated_at"]),
        complete=record.get("complete") is True,
        copied=_entries(record.get("copied_stores")),
        pending=_entries(record.get("pending_stores")),
        handled=_handled_files(record.get("holdfact")),
        waiting=_broken_sessions(record.get("holdfact")),
    )


def _broken_sessions(own: object) -> tuple[Broken, ...]:
    """The sessions waited for; none when they can't be read, which costs one more look."""
    try:
        items = own["broken_sessions"]  # type: ignore[index]
        return tuple(Broken(item["path"], item["size"], item["mtime_ns"]) for item in items)
    except (TypeError, KeyError):
        return ()


def _handled_files(own: object) -> tuple[Handled, ...]:
    """Our own part; one that can't be read is empty and leaves the shared part valid."""
    if not isinstance(own, dict):
        return ()
    try:
        return tuple(_handled(item) for item in own["copied_files"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return ()


def _stamp(value: object) -> str:
    """A time that a finished write left: RFC 3339, and not the zero time."""
    if not isinstance(value, str) or len(value) <= len(_STAMP_SHAPE) or value.startswith("0001-"):
        raise ValueError("no time stamp")
    shape = "".join("0" if digit.isdecimal() else digit for digit in value[: len(_STAMP_SHAPE)])
    if shape != _STAMP_SHAPE:
        raise ValueError("no time stamp")
    return value


def _entries(value: object) -> tuple[StoreEntry, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise TypeError("stores must be a list")
    return tuple(_entry(item) for item in value)


def _entry(item: dict[str, object]) -> StoreEntry:
    name, facts, directory = item["hash"], item.get("facts", 0), item.get("cwd", "")
    if not _is_hex(name, KEY_HEX_DIGITS) or not _is_count(facts) or not isinstance(directory, str):
        raise ValueError(f"not a store: {item!r}")
    return StoreEntry(str(name), directory, int(str(facts)))


def _handled(item: dict[str, object]) -> Handled:
    known = {name: item[name] for name in Handled._fields if name in item}
    handled = Handled(**known)  # type: ignore[arg-type]
    is_text = all(isinstance(value, str) for value in (*handled[:3], *handled[5:]))
    is_sound = (
        is_text
        and _is_hex(handled.sha256, _DIGEST_HEX_DIGITS)
        and _is_count(handled.size)
        and isinstance(handled.mtime_ns, int)
    )
    if not is_sound:
        raise ValueError(f"not a copied file: {item!r}")
    return handled


def _is_hex(value: object, digits: int) -> bool:
    return isinstance(value, str) and len(value) == digits and set(value) <= _HEX


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
