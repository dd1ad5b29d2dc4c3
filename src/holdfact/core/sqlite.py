"""SQLite, opened one way: settings, numbered migrations, and errors that say what to do.

`apsw` brings a current SQLite to every Python. A statement that returns a row stops `execute` there
until the row is read and the rest of a script would never run, so scripts are read to their end.

**Invariant:** a store that a newer program wrote is never changed, and a migration is committed
whole or not at all.
"""

from __future__ import annotations

import os

from holdfact.core.errors import (
    EngineUnavailable,
    FileUnwritable,
    HoldfactError,
    StoreBusy,
    StoreCorrupt,
    StoreNewer,
)
from holdfact.core.files import FILE_MODE, reason_of
from holdfact.core.limits import STORE_CACHE_KIB, STORE_LOCK_TIMEOUT_S, STORE_WAL_PAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    import apsw

__all__ = ["close", "connect", "damaged", "run", "share", "transaction", "translated"]

# Transactions are durable one by one, and beside them others read. While a new generation is built
# nobody reads it: its transactions only have to be whole, and with a rollback journal, which does
# not hold new pages, each page is written once, not to the log and then to the file.
_SHARED = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
_ALONE = "PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=NORMAL;"


def connect(  # noqa: PLR0913 - how it is opened, by name
    path: str,
    migrations: Sequence[str],
    *,
    creates: bool = True,
    read_only: bool = False,
    durable: bool = True,
    timeout_s: float = STORE_LOCK_TIMEOUT_S,
) -> apsw.Connection:
    """Open the store at `path`, creating and migrating it unless `read_only`.

    Args:
        path: the file.
        migrations: scripts; script i takes a store from `user_version` i to i + 1.
        creates: make it where it is missing or empty; else an empty one counts as damaged.
        read_only: never writes, and fails where the file is missing or older.
        durable: whether each commit survives a power loss, and others read meanwhile; if not, it is
            whole after a killed process, until `share`.
        timeout_s: longest wait for another connection's lock.

    Raises:
        StoreNewer: its `user_version` is above the number of migrations.
        StoreCorrupt: it is not a database, or damaged.
        StoreBusy, FileUnwritable, EngineUnavailable: the system or another process refuses, or the
            path is not UTF-8.
    """
    _check_encodable(path)
    with translated(path):
        connection = _open(path, creates=creates, read_only=read_only)
        try:
            connection.set_busy_timeout(int(timeout_s * 1000))
            # Asked before anything is written: a store that is refused stays as it is.
            version = _version(connection)
            _check(version, path, migrations, creates=creates)
            _configure(connection, read_only=read_only, durable=durable)
            if version < len(migrations):
                _migrate(connection, path, migrations, read_only=read_only)
        except BaseException:
            connection.close()
            raise
        return connection


def _check_encodable(path: str) -> None:
    """SQLite's names are UTF-8; the names of Linux are any bytes."""
    try:
        path.encode()
    except UnicodeEncodeError as err:
        raise EngineUnavailable(
            f"{path} is no UTF-8, and SQLite opens no other names",
            hint="keep the state in another folder (HOLDFACT_HOME, or --state)",
        ) from err


def _open(path: str, *, creates: bool, read_only: bool) -> apsw.Connection:
    import apsw

    if not read_only:
        flags = apsw.SQLITE_OPEN_READWRITE
        if creates:
            _create_private(path)
            flags |= apsw.SQLITE_OPEN_CREATE
        return apsw.Connection(path, flags=flags)
    if not os.access(path, os.W_OK) and os.path.exists(path) and not _size(path + "-wal"):
        # SQLite would make side files as unwritable as this one, and they would outlast a chmod.
        return _unchanging(path)
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.execute("PRAGMA schema_version").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.IOError):
        # In a folder that can't be written or on a full disk, SQLite can't share a WAL; without
        # one, and with nobody able to write here, the file is what it is.
        connection.close()
        if not os.path.exists(path) or _size(path + "-wal"):
            raise
        return _unchanging(path)
    except BaseException:
        connection.close()
        raise
    return connection


def _unchanging(path: str) -> apsw.Connection:
    """A store that nobody can write here: read without locks and side files."""
    from urllib.parse import quote

    import apsw

    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(f"file:{quote(path)}?immutable=1", flags=flags)


def _create_private(path: str) -> None:
    """An empty file that only its user may read; SQLite gives its side files the same mode."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK  # a pipe would wait for good
    try:
        os.close(os.open(path, flags, FILE_MODE))
    except OSError as err:
        raise FileUnwritable(
            f"can't write {path}: {reason_of(err)}",
            hint="make the folder writable; what was there is unchanged",
        ) from err


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _configure(connection: apsw.Connection, *, read_only: bool, durable: bool) -> None:
    run(connection, f"PRAGMA trusted_schema=OFF; PRAGMA cache_size=-{STORE_CACHE_KIB}")
    if read_only:
        run(connection, "PRAGMA query_only=ON")
        return
    run(
        connection,
        f"{_SHARED if durable else _ALONE} PRAGMA foreign_keys=ON;"
        f"PRAGMA wal_autocheckpoint={STORE_WAL_PAGES}",
    )


def _check(version: int, path: str, migrations: Sequence[str], *, creates: bool) -> None:
    if version < 0:
        raise damaged(path, f"its schema has the number {version}")
    if version > len(migrations):
        raise StoreNewer(
            f"{path} has schema {version}; this program knows {len(migrations)} and below"
        )
    if not version and not creates:
        raise damaged(path, "it holds no index")


def _migrate(
    connection: apsw.Connection, path: str, migrations: Sequence[str], *, read_only: bool
) -> None:
    if read_only:
        raise EngineUnavailable(f"{path} has an older schema and must be migrated first")
    with transaction(connection):
        version = _version(connection)  # another process may have been faster
        for number in range(version, len(migrations)):
            run(connection, migrations[number])
        if version < len(migrations):
            run(connection, f"PRAGMA user_version={len(migrations)}")


def _version(connection: apsw.Connection) -> int:
    return int(connection.pragma("user_version"))


def share(connection: apsw.Connection) -> None:
    """Make a store that was written alone (not `durable`) one that others may read meanwhile."""
    run(connection, f"{_SHARED} PRAGMA wal_checkpoint(TRUNCATE)")


def close(connection: apsw.Connection) -> None:
    """Close a connection. What it committed is safe, so an error on the way out is none.

    The last connection copies the write-ahead log into the file; where that fails, the next does.
    """
    import apsw

    try:
        connection.close(True)  # noqa: FBT003 - apsw's `force`, by position
    except apsw.Error:
        return


def run(connection: apsw.Connection, script: str) -> None:
    """Run every statement of `script`, whatever they return."""
    for _ in connection.execute(script):
        pass


class transaction:  # noqa: N801 - used as a `with` statement's verb
    """`with transaction(connection):` commits the whole block, or nothing when it raises.

    Args:
        connection: no transaction may be open on it.
        write: false opens a reading snapshot: everything read in it is of one revision.
    """

    __slots__ = ("_connection", "_write")

    def __init__(self, connection: apsw.Connection, *, write: bool = True) -> None:
        self._connection = connection
        self._write = write

    def __enter__(self) -> None:
        """Begin."""
        self._connection.execute("BEGIN IMMEDIATE" if self._write else "BEGIN")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Commit, or roll back."""
        if kind is None:
            try:
                self._connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise
        else:
            self._roll_back()

    def _roll_back(self) -> None:
        # SQLite has rolled back by itself after a full disk or an I/O error.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class translated:  # noqa: N801 - used as a `with` statement's verb
    """`with translated(path):` turns SQLite's errors into this program's, naming the file."""

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Nothing to begin."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Translate the error, if it is SQLite's."""
        if error is None or isinstance(error, HoldfactError):
            return
        import apsw

        if isinstance(error, apsw.Error):
            raise _translate(error, self._path) from error


def _translate(error: apsw.Error, path: str) -> HoldfactError:
    import apsw

    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StoreBusy(f"{path} is being written by another process")
    if isinstance(error, apsw.CorruptError | apsw.NotADBError | apsw.FormatError):
        return damaged(path, str(error))
    if isinstance(
        error, apsw.FullError | apsw.ReadOnlyError | apsw.IOError | apsw.PermissionsError
    ):
        return FileUnwritable(
            f"can't write {path}: {error}",
            hint="free some disk space or make the folder writable; what was there is unchanged",
        )
    if isinstance(error, apsw.SQLError):
        return damaged(path, f"it is not a store of this program: {error}")
    return EngineUnavailable(
        f"can't open {path}: {error}",
        hint="make it readable and writable, or delete it: it is derived and built again",
    )


def damaged(path: str, why: str) -> StoreCorrupt:
    """The error of a store that does not hold what it must."""
    return StoreCorrupt(
        f"{path} is damaged: {why}",
        hint=f"holdfact engine sync builds it anew; so does deleting {path}, which is derived",
    )
