"""Git, asked safely: one way to call it, with a clean environment and a time limit.

Nothing of the repository's configuration may run a program or move the answer: the variables that
redirect git are removed, the file-system monitor and hooks are off, and so is every transport: a
partial clone would fetch what it lacks, with a program that its own configuration names. Where git
is missing, hangs or refuses, the answer is None and callers say so.
"""

from __future__ import annotations

import os

from holdfact.core import clock
from holdfact.core.limits import GIT_TIMEOUT_S, MAX_GIT_OUTPUT_BYTES

__all__ = ["git_folder", "link_file", "may_be_repository", "run", "working_tree"]

_REMOVED = {
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    # What a hook or a test runner may have set for another repository.
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_NO_REPLACE_OBJECTS",
}
_REMOVED_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_TRACE")
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_SET = {
    "GIT_OPTIONAL_LOCKS": "0",
    # None at all; unlike `-c protocol.allow=never`, no configuration of a repository overrides it.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",  # git ≥ 2.44 does not even try
    "LC_ALL": "C",
}
_READ_STEP_BYTES = 65_536
_MAX_POINTER_BYTES = 4_096
_END_PAUSE_S = 0.001
_SIGKILL = 9  # importing signal for one number would load enum


def run(folder: str, *arguments: str, timeout_s: float = GIT_TIMEOUT_S) -> bytes | None:
    """The standard output of `git ARGUMENTS` in `folder`.

    Returns:
        None when git is missing, fails, takes longer than `timeout_s`, answers more than
        `MAX_GIT_OUTPUT_BYTES`, or the folder is gone.
    """
    try:
        pid, out = _start(["git", *_SAFE, "-C", folder, *arguments])
    except (OSError, ValueError):
        return None
    deadline = clock.monotonic() + timeout_s
    answer = None
    try:
        answer = _read(out, deadline)
    finally:
        os.close(out)
        succeeded = _end(pid, deadline if answer is not None else 0.0)
    return answer if succeeded else None


def _start(command: list[str]) -> tuple[int, int]:
    """Start a program, its standard output on a pipe: the process and the reading end.

    `subprocess` would do, but importing it costs a tenth of a whole cold recall.
    """
    reading, writing = os.pipe()
    try:
        null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            actions = [
                (os.POSIX_SPAWN_DUP2, null, 0),
                (os.POSIX_SPAWN_DUP2, writing, 1),
                (os.POSIX_SPAWN_DUP2, null, 2),
            ]
            pid = os.posix_spawnp(command[0], command, _environment(), file_actions=actions)
        finally:
            os.close(null)
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    return pid, reading


def _read(fd: int, deadline: float) -> bytes | None:
    import select

    pieces: list[bytes] = []
    left = MAX_GIT_OUTPUT_BYTES
    waiting = select.poll()
    waiting.register(fd, select.POLLIN)
    while left >= 0:
        rest_ms = (deadline - clock.monotonic()) * 1_000
        if rest_ms <= 0 or not waiting.poll(rest_ms):
            return None
        piece = os.read(fd, _READ_STEP_BYTES)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        left -= len(piece)
    return None


def _end(pid: int, deadline: float) -> bool:
    """Wait for a process, killing it at the deadline; whether it succeeded."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
        while not ended and clock.monotonic() < deadline:
            clock.sleep(_END_PAUSE_S)
            ended, status = os.waitpid(pid, os.WNOHANG)
        if not ended:
            os.kill(pid, _SIGKILL)
            _, status = os.waitpid(pid, 0)
    except ChildProcessError:  # our parent had us ignore children, so nobody can tell
        return False
    return status == 0


def may_be_repository(folder: str) -> bool:
    """Whether git could find a repository from `folder`, told without starting a process.

    Git looks upwards for `.git` (a folder or a file) or for a bare repository's own files. Where
    neither stands in any parent, it would find nothing.
    """
    return any(
        _stops_git(here)
        or (
            os.path.lexists(os.path.join(here, "HEAD"))
            and os.path.isdir(os.path.join(here, "objects"))
        )
        for here in _upwards(folder)
    )


def link_file(folder: str) -> str | None:
    """The `.git` that git would ask from `folder`, where that is a file, whatever it holds.

    Git stops at such a file even where it can't read it as a pointer, as after a crash that left it
    empty; `working_tree` looks further up.
    """
    top = next((here for here in _upwards(folder) if _stops_git(here)), None)
    dot_git = None if top is None else os.path.join(top, ".git")
    return dot_git if dot_git is not None and os.path.isfile(dot_git) else None


def _stops_git(here: str) -> bool:
    """Whether `here` has a `.git` that git does not pass over as it does an empty folder."""
    dot_git = os.path.join(here, ".git")
    if not os.path.lexists(dot_git):
        return False
    if not os.path.isdir(dot_git) or not os.access(dot_git, os.X_OK):
        return True
    # One of both may be lost in a repository that is damaged; git then has no answer to rely on.
    return any(os.path.lexists(os.path.join(dot_git, name)) for name in ("HEAD", "objects"))


def working_tree(folder: str) -> str | None:
    """The top level of the working tree that holds `folder`, told without starting a process.

    Returns:
        The nearest parent (or `folder` itself), symbolic links resolved, whose `.git` is a pointer
        file or a folder with a `HEAD`; None outside.
    """
    return next((here for here in _upwards(folder) if git_folder(here) is not None), None)


def git_folder(top: str) -> str | None:
    """The folder where git keeps what belongs to the working tree `top`: canonical, or None."""
    dot_git = os.path.join(top, ".git")
    if os.path.lexists(os.path.join(dot_git, "HEAD")):
        return os.path.realpath(dot_git)
    try:
        fd = os.open(dot_git, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        text = os.read(fd, _MAX_POINTER_BYTES)
    except OSError:
        return None
    finally:
        os.close(fd)
    if not text.startswith(b"gitdir: ") or b"\0" in text:
        return None
    return os.path.realpath(os.path.join(top, os.fsdecode(text[8:].rstrip(b"\r\n"))))


def _upwards(folder: str) -> list[str]:
    here = os.path.realpath(folder)
    found = [here]
    while (parent := os.path.dirname(here)) != here:
        here = parent
        found.append(here)
    return found


def _environment() -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in _REMOVED and not name.startswith(_REMOVED_PREFIXES)
    }
    return clean | _SET
