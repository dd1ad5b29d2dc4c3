"""Files: atomic and durable writes, bounded reads, and paths confined before they are used.

**Invariant:** a write leaves the old file or the new one, never a part and never both names: the
bytes go to a temporary name in the same directory, are synced, renamed over the target, and the
directory is synced. There is no other way to write a file in this program.
"""

from __future__ import annotations

import errno
import os
import stat
import sys

from holdfact.core import clock
from holdfact.core.errors import ConfinementError, FileTooLarge, FileUnreadable, FileUnwritable
from holdfact.core.limits import LEFTOVER_AGE_S

__all__ = [
    "FILE_MODE",
    "FOLDER_MODE",
    "TEMPORARY_PREFIX",
    "close_quietly",
    "confine",
    "fsync_folder",
    "is_temporary_name",
    "make_folder",
    "make_private",
    "mend_of",
    "read_bounded",
    "read_prefix",
    "reason_of",
    "remove_durable",
    "remove_leftovers",
    "rename_durable",
    "write_atomic",
]

FILE_MODE = 0o600
FOLDER_MODE = 0o700
_PERMISSIONS = 0o777
TEMPORARY_PREFIX = ".holdfact-tmp-"
# Neither a FIFO nor a terminal may hold us up or be taken over.
_READ_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}
_READ_STEP_BYTES = 1_048_576


def is_temporary_name(name: str) -> bool:
    """Whether a file name is one of our unfinished writes."""
    return name.startswith(TEMPORARY_PREFIX)


def read_bounded(path: str, limit_bytes: int, *, follow: bool = True) -> bytes:
    """The bytes of a regular file; with `follow=False` a symbolic link is refused.

    Raises:
        FileTooLarge: it has more than `limit_bytes`.
        FileUnreadable: it is missing, not a regular file, or the system refuses.
    """
    try:
        fd = os.open(path, _READ_FLAGS if follow else _READ_FLAGS | os.O_NOFOLLOW)
    except (OSError, ValueError) as err:
        raise FileUnreadable(f"can't read {path}: {reason_of(err)}") from err
    try:
        return _read_regular(fd, path, limit_bytes)
    except OSError as err:
        raise FileUnreadable(f"can't read {path}: {reason_of(err)}") from err
    finally:
        close_quietly(fd)


def close_quietly(fd: int) -> None:
    """Close a descriptor that nothing was written through: an error would tell nothing."""
    try:
        os.close(fd)
    except OSError:
        return


def _read_regular(fd: int, path: str, limit_bytes: int) -> bytes:
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode):
        raise FileUnreadable(f"can't read {path}: not a regular file")
    if status.st_size > limit_bytes:
        raise FileTooLarge(f"{path} has {status.st_size} bytes; the limit is {limit_bytes}")
    return _read_all(fd, path, limit_bytes)


def read_prefix(path: str, limit_bytes: int) -> bytes:
    """At most the first `limit_bytes` of a regular file.

    Raises:
        FileUnreadable: it is missing, not a regular file, or the system refuses.
    """
    try:
        fd = os.open(path, _READ_FLAGS)
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise FileUnreadable(f"can't read {path}: not a regular file")
            return os.read(fd, limit_bytes)
        finally:
            os.close(fd)
    except (OSError, ValueError) as err:
        raise FileUnreadable(f"can't read {path}: {reason_of(err)}") from err


def _read_all(fd: int, path: str, limit_bytes: int) -> bytes:
    pieces: list[bytes] = []
    left = limit_bytes + 1
    while left > 0 and (piece := os.read(fd, min(left, _READ_STEP_BYTES))):
        pieces.append(piece)
        left -= len(piece)
    if left <= 0:  # it grew while it was read
        raise FileTooLarge(f"{path} has more than {limit_bytes} bytes")
    return b"".join(pieces)


def write_atomic(path: str, data: bytes, *, mode: int = FILE_MODE, replace: bool = True) -> None:
    """Write `data` to `path`, durably, or leave everything as it was.

    Args:
        path: the target; its folder must exist.
        data: the whole content.
        mode: permission bits of the new file.
        replace: when false, an existing target is an error instead of being replaced.

    Raises:
        FileUnwritable: the file system refused; the target is unchanged, unless the message says
            that it was replaced but could not be synced.
    """
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f"{TEMPORARY_PREFIX}{os.getpid()}-{os.urandom(6).hex()}")
    try:
        _write_synced(temporary, data, mode)
        try:
            _publish(temporary, path, replace=replace)
        except BaseException:
            _discard(temporary)
            raise
    except (OSError, ValueError) as err:
        raise FileUnwritable(
            f"can't write {name} in {folder or '.'}: {reason_of(err)}", hint=mend_of(err)
        ) from err
    _sync(folder, f"{name} was written")


def _write_synced(path: str, data: bytes, mode: int) -> None:
    fd = os.open(path, _CREATE_FLAGS, mode)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(fd, view) :]
            _flush(fd)
        finally:
            os.close(fd)
    except BaseException:
        _discard(path)
        raise


def _flush(fd: int) -> None:
    """Bring what was written to the disk itself.

    On macOS `fsync` stops at the drive's cache; a file system that has nothing stronger says so.
    """
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
        except OSError:
            os.fsync(fd)
        return
    os.fsync(fd)


def _publish(temporary: str, path: str, *, replace: bool) -> None:
    if replace:
        os.rename(temporary, path)
        return
    os.link(temporary, path)  # unlike rename, fails where the target exists
    _discard(temporary)


def _discard(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return  # the first error is the one to report; the name is ignored by every reader


def remove_leftovers(folder: str) -> None:
    """Remove what killed writers left in a folder, once no living one can still be at it.

    Call it where writers of the folder exclude each other. A writer that slept longer all the same
    fails and leaves the old file.
    """
    latest = clock.now() - LEFTOVER_AGE_S
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if is_temporary_name(entry.name)]
        for entry in found:
            if entry.stat(follow_symlinks=False).st_mtime < latest:
                _discard(entry.path)
    except OSError:
        return  # they are ignored by every reader; the write itself tells what is wrong


def remove_durable(path: str) -> None:
    """Delete a file and sync its folder.

    Raises:
        FileUnwritable: the file system refused (also when the file is missing).
    """
    try:
        os.unlink(path)
    except (OSError, ValueError) as err:
        raise FileUnwritable(f"can't delete {path}: {reason_of(err)}", hint=mend_of(err)) from err
    _sync(os.path.dirname(path), f"{path} was deleted")


def rename_durable(source: str, target: str) -> None:
    """Rename a file within its folder and sync the folder; an existing target is replaced.

    From folder to folder it would not be one step: without a journal a power cut could lose both
    names. Write the new file and remove the old one instead.

    Raises:
        FileUnwritable: the file system refused; the file keeps its old name, unless the message
            says that it was renamed but could not be synced.
    """
    folder = os.path.dirname(source)
    if folder != os.path.dirname(target):
        raise ValueError(f"{source} and {target} are not in the same folder")
    try:
        os.rename(source, target)
    except (OSError, ValueError) as err:
        raise FileUnwritable(f"can't rename {source}: {reason_of(err)}", hint=mend_of(err)) from err
    _sync(folder, f"{source} was renamed")


def make_folder(path: str, *, mode: int = FOLDER_MODE) -> None:
    """Create a folder and its missing parents, each synced into its parent.

    Raises:
        FileUnwritable: the file system refused, or a file is in the way.
    """
    try:
        _make_folder(path, mode)
    except (OSError, ValueError) as err:
        raise FileUnwritable(f"can't create {path}: {reason_of(err)}", hint=mend_of(err)) from err


def _make_folder(path: str, mode: int) -> None:
    parent = os.path.dirname(path)
    if os.path.isdir(path):
        if _is_empty(path):
            _sync_name(parent)
        return
    if parent and parent != path:
        _make_folder(parent, mode)
    try:
        os.mkdir(path, mode)
    except FileExistsError:
        if not os.path.isdir(path):
            raise
    fsync_folder(parent)


def _is_empty(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is None
    except OSError:
        return False


def _sync_name(parent: str) -> None:
    """Sync the name of an empty folder: who made it may have died, or not come to it yet.

    Whatever is put into a folder comes after this, so one that is not empty has a safe name.
    """
    try:
        fsync_folder(parent)
    except PermissionError:
        return  # somebody else's, who made the folder for us


def make_private(path: str) -> None:
    """Take a folder away from everybody but its owner, where it is not so already.

    Raises:
        FileUnwritable: it is somebody else's, or gone.
    """
    try:
        if os.stat(path).st_mode & ~FOLDER_MODE & _PERMISSIONS:
            os.chmod(path, FOLDER_MODE)
    except OSError as err:
        raise FileUnwritable(
            f"can't make {path} private: {reason_of(err)}", hint=mend_of(err)
        ) from err


def _sync(folder: str, done: str) -> None:
    try:
        fsync_folder(folder)
    except OSError as err:
        raise FileUnwritable(
            f"{done}, but {folder or '.'} can't be synced: {reason_of(err)}",
            hint="a power cut could undo it; check the disk and repeat",
        ) from err


def fsync_folder(path: str) -> None:
    """Make the names in a folder durable."""
    fd = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _flush(fd)
    finally:
        os.close(fd)


def confine(path: str, root: str) -> str:
    """The absolute form of `path`, taken relative to `root`, when it stays inside `root`.

    The text is judged before the file system is asked; then symbolic links are resolved and the
    result is judged again.

    Raises:
        ConfinementError: the path is empty, absolute, holds NUL or a lone surrogate,
            climbs out, or resolves outside.
    """
    if not path or "\0" in path or os.path.isabs(path) or not _is_encodable(path):
        raise ConfinementError(f"{path!r} is not a relative path below {root}")
    if os.path.normpath(path).split(os.sep, 1)[0] == os.pardir:
        raise ConfinementError(f"{path!r} leads out of {root}")
    base = os.path.realpath(root)
    resolved = os.path.realpath(os.path.join(base, path))
    if resolved != base and not resolved.startswith(base.rstrip(os.sep) + os.sep):
        raise ConfinementError(f"{path!r} resolves outside {root}")
    return resolved


def _is_encodable(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def reason_of(err: BaseException) -> str:
    """What the system says, as the end of a sentence."""
    if isinstance(err, OSError) and err.strerror:
        return err.strerror[:1].lower() + err.strerror[1:]
    return str(err)


def mend_of(err: BaseException) -> str:
    """What to do about a write that the system refused."""
    number = err.errno if isinstance(err, OSError) else None
    if number in _NO_SPACE:
        return "free some disk space and repeat; what was there before is unchanged"
    if number in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return "make the folder writable, or use another one (HOLDFACT_HOME)"
    return "what was there before is unchanged"
