"""Git, asked safely: one way to call it, with a clean environment and a time limit.

Nothing of the repository's configuration may run a program or move the answer: the variables that
redirect git are removed, the file-system monitor and hooks are off. Where git is missing, hangs or
refuses, the answer is None and callers say so.
"""

from __future__ import annotations

import os

from holdfact.core.limits import GIT_TIMEOUT_S

__all__ = ["may_be_repository", "run"]

_REMOVED = {
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
}
_REMOVED_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_")
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")


def run(folder: str, *arguments: str, timeout_s: float = GIT_TIMEOUT_S) -> bytes | None:
    """The standard output of `git ARGUMENTS` in `folder`.

    Returns:
        None when git is missing, fails, takes longer than `timeout_s`, or the folder is gone.
    """
    import subprocess

    try:
        done = subprocess.run(  # noqa: S603 - a fixed program, no shell, arguments never options
            ["git", *_SAFE, *arguments],  # noqa: S607 - git is found the way the user's shell does
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout_s,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def may_be_repository(folder: str) -> bool:
    """Whether git could find a repository from `folder`, told without starting a process.

    Git looks upwards for `.git` (a folder or a file) or for a bare repository's own files. Where
    neither stands in any parent, it would find nothing.
    """
    here = os.path.realpath(folder)
    while True:
        if os.path.lexists(os.path.join(here, ".git")):
            return True
        if os.path.lexists(os.path.join(here, "HEAD")):
            return True
        parent = os.path.dirname(here)
        if parent == here:
            return False
        here = parent


def _environment() -> dict[str, str]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in _REMOVED and not name.startswith(_REMOVED_PREFIXES)
    }
    clean["GIT_OPTIONAL_LOCKS"] = "0"
    clean["LC_ALL"] = "C"
    return clean
