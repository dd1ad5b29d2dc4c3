"""Faults: calls that fail, a process that is killed, a disk that is full.

Each matrix runs an operation again and again in a fresh copy of a folder, with one fault more to
the right each time, until the operation passes unharmed:

    faults.fault_matrix(tmp_path, prepare, operation)     # EIO, ENOSPC, EACCES, short writes
    faults.kill_matrix(tmp_path, prepare, script)         # SIGKILL before each call
    faults.full_disk(tmp_path, script)                    # a small tmpfs, else RLIMIT_FSIZE

`prepare(folder)` builds the state before, `operation(folder)` changes it. Afterwards `snapshot` of
the folder must equal the one before or the one after; give `check(seen, old, new)` for operations
of several steps. Every fault must surface as a HoldfactError (or not at all), and no descriptor may
stay open. A fault is seen only by code that calls the functions of `os`, as core/files.py does.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from holdfact.core.errors import HoldfactError
from holdfact.core.files import is_temporary_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Folder = Callable[[Path], object]
    Snapshot = dict[str, bytes]
    Check = Callable[[Snapshot, Snapshot, Snapshot], object]

MUTATING = (
    "open",
    "write",
    "fsync",
    "close",
    "rename",
    "replace",
    "link",
    "symlink",
    "unlink",
    "remove",
    "mkdir",
    "rmdir",
    "chmod",
    "fchmod",
    "truncate",
    "ftruncate",
)
SHORT_WRITE = -1
KINDS = (errno.EIO, errno.ENOSPC, errno.EACCES, SHORT_WRITE)
_MOST_CALLS = 2_000


class Outcome(NamedTuple):
    """One run of a matrix: which call was hit, by what, and what the operation raised."""

    number: int
    kind: int
    call: str
    error: BaseException | None


def snapshot(folder: Path) -> Snapshot:
    """Every file and folder that a reader sees; not unfinished writes, not lock files."""
    seen: Snapshot = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if is_temporary_name(path.name) or path.name.endswith(".lock"):
            continue
        seen[name] = b"" if path.is_dir() else path.read_bytes()
    return seen


def temporaries(folder: Path) -> list[str]:
    """The names of unfinished writes."""
    return sorted(path.name for path in folder.rglob("*") if is_temporary_name(path.name))


def old_or_new(seen: Snapshot, old: Snapshot, new: Snapshot) -> None:
    """The invariant of one atomic step."""
    assert seen in (old, new), f"neither old nor new: {seen}"


@contextmanager
def hooked(before: Callable[[str], object], calls: tuple[str, ...] = MUTATING) -> Iterator[None]:
    """Call `before(name)` ahead of each of the `os` functions; it may raise or answer.

    What `before` returns, unless None, is a function that is called instead.
    """
    originals = {name: getattr(os, name) for name in calls}

    def wrap(name: str) -> Callable[..., object]:
        def wrapped(*args: object, **kwargs: object) -> object:
            instead = before(name)
            return (instead if callable(instead) else originals[name])(*args, **kwargs)

        return wrapped

    for name in calls:
        setattr(os, name, wrap(name))
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(os, name, original)


def run_with_fault(operation: Callable[[], object], number: int, kind: int) -> Outcome | None:
    """Run with the fault at call `number` (from 1); None when the operation made fewer calls."""
    hit = ""
    count = 0
    write, close = os.write, os.close

    def refuse(*_arguments: object, **_more: object) -> object:
        raise OSError(kind, os.strerror(kind))

    def before(name: str) -> object:
        nonlocal count, hit
        if kind == SHORT_WRITE and name != "write":
            return None
        count += 1
        if count != number:
            return None
        hit = name
        if kind == SHORT_WRITE:
            return lambda fd, data: write(fd, bytes(data)[: max(1, len(data) // 2)])
        if name == "close":  # the descriptor is gone even when close reports an error
            return lambda fd: (close(fd), refuse())
        return refuse

    error: BaseException | None = None
    with hooked(before):
        try:
            operation()
        except Exception as err:  # noqa: BLE001 - judged by the caller
            error = err
    return Outcome(number, kind, hit, error) if hit else None


def fault_matrix(
    folder: Path,
    prepare: Folder,
    operation: Folder,
    *,
    check: Check = old_or_new,
    kinds: tuple[int, ...] = KINDS,
) -> list[Outcome]:
    """Make each call fail in each way; returns what was tried."""
    old, new = _ends(folder / "ends", prepare, operation)
    tried: list[Outcome] = []
    for kind in kinds:
        for number in range(1, _MOST_CALLS):
            here = _fresh(folder / f"{kind}-{number}", prepare)
            descriptors = _open_descriptors()
            outcome = run_with_fault(partial(operation, here), number, kind)
            assert _open_descriptors() == descriptors, f"a descriptor leaks: {outcome}"
            if outcome is None:
                assert snapshot(here) == new
                break
            error = outcome.error
            assert error is None or isinstance(error, HoldfactError), repr(outcome)
            check(snapshot(here), old, new)
            if error is None:
                assert snapshot(here) == new, f"reported as done, but is not: {outcome}"
            tried.append(outcome)
    return tried


# The parent forks, so each child is killed from a fresh start without a new interpreter.
_KILLER = """
import os, signal, sys
import crash_faults as faults
{script}
for number in range(1, faults._MOST_CALLS):
    here = faults.Path(sys.argv[1]) / str(number)
    faults.shutil_copy(sys.argv[2], here)
    child = os.fork()
    if not child:
        count = 0
        def before(name):
            global count
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
        with faults.hooked(before):
            operation(here)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
"""


def shutil_copy(source: str, target: Path) -> None:
    """Copy a tree (a name that the killer's script can reach)."""
    import shutil

    shutil.copytree(source, target, symlinks=True)


def kill_matrix(
    folder: Path, prepare: Folder, script: str, *, check: Check = old_or_new
) -> list[Path]:
    """Kill a child (SIGKILL) before each call in turn; returns the folders left behind.

    Args:
        folder: an empty place to work in.
        prepare: builds the state before.
        script: Python text that defines `operation(folder)`; it runs in another process.
        check: the invariant.
    """
    before = _fresh(folder / "before", prepare)
    runs = folder / "runs"
    runs.mkdir()
    done = _python(_KILLER.format(script=script), str(runs), str(before))
    assert done.returncode == 0, done.stderr
    left = sorted(runs.iterdir(), key=lambda path: int(path.name))
    old, new = snapshot(before), snapshot(left[-1])  # the last child was not reached by the kill
    for here in left:
        check(snapshot(here), old, new)
    return left[:-1]


class FullDisk(NamedTuple):
    """How the disk was filled (`tmpfs` or `rlimit`), and what the script printed."""

    kind: str
    output: str


def full_disk(folder: Path, script: str, *, size_kib: int = 64) -> FullDisk:
    """Run a script where the disk is full after `size_kib`; the folder is `sys.argv[1]`.

    A small tmpfs in a mount namespace of its own; where the system forbids that, the limit of a
    file's size (RLIMIT_FSIZE) stands in for it, and `kind` says so.
    """
    folder.mkdir(exist_ok=True)
    mount = f'mount -t tmpfs -o size={size_kib}k tmpfs "$1" && shift && exec "$@"'
    space = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
    can_mount = _succeeds([*space, str(folder), "true"])
    if can_mount:
        done = _python(script, str(folder), prefix=(*space, str(folder)))
        kind = "tmpfs"
    else:
        limit = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))\n"
        done = _python(limit.format(size_kib * 1_024) + script, str(folder))
        kind = "rlimit"
    assert done.returncode == 0, done.stderr
    return FullDisk(kind, done.stdout)


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _python(
    script: str, *arguments: str, prefix: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    load = (
        "import importlib.util as u, sys\n"
        f"s = u.spec_from_file_location('crash_faults', {__file__!r})\n"
        "m = u.module_from_spec(s); sys.modules['crash_faults'] = m; s.loader.exec_module(m)\n"
    )
    import holdfact

    source = str(Path(holdfact.__file__).parent.parent)
    return subprocess.run(
        [*prefix, sys.executable, "-c", load + script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": source},
    )


def _fresh(folder: Path, prepare: Folder) -> Path:
    folder.mkdir(parents=True)
    prepare(folder)
    return folder


def _ends(folder: Path, prepare: Folder, operation: Folder) -> tuple[Snapshot, Snapshot]:
    here = _fresh(folder, prepare)
    old = snapshot(here)
    operation(here)
    return old, snapshot(here)


def _open_descriptors() -> int:
    return len(os.listdir("/dev/fd"))
