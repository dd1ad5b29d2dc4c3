"""The codebase key: which repository a folder belongs to, as 16 hex digits.

Every worktree, subdirectory and symbolic link into one repository has the same key; a clone has
another, since remotes are ignored. Outside a repository the folder itself is the identity, and also
where git can't be asked: `identify` tells whether git would then say another.
"""

from __future__ import annotations

import os

from holdfact.core import clock, git
from holdfact.core.digest import path_key
from holdfact.core.errors import CodebaseUnknown
from holdfact.core.limits import GIT_SILENCE_PER_WAIT, GIT_SILENCE_S
from holdfact.core.record import NamedTuple

__all__ = ["Codebase", "codebase_key", "identify", "repo_codebase_key", "require_home"]

_IS_BARE = {b"true": True, b"false": False}
# Answers that named a repository, by canonical folder. The others cost little, or may change.
_known: dict[str, str] = {}
# Where git gave no answer: when to ask it again, by canonical folder.
_silent_until: dict[str, float] = {}


class Codebase(NamedTuple):
    """Which codebase a folder belongs to.

    Attributes:
        key: 16 hex digits.
        is_certain: False where git did not answer and could name another key.
    """

    key: str
    is_certain: bool


def identify(folder: str) -> Codebase:
    """The codebase of `folder`: its repository, else the folder itself. Never fails."""
    key = repo_codebase_key(folder)
    if key is not None:
        return Codebase(key, is_certain=True)
    here = _canonical(folder)
    return Codebase(path_key(here), _stands_for_itself(here))


def codebase_key(folder: str) -> str:
    """The key of the repository that `folder` is in, else of the folder itself. Never fails."""
    return identify(folder).key


def require_home(codebase: Codebase, folder: str) -> None:
    """Keep facts out of a place where nobody looks once git answers again.

    Raises:
        CodebaseUnknown: git did not answer in a worktree whose repository stands elsewhere: `.git`
            is a file, as in a linked worktree and in a submodule. What it holds does not matter: a
            damaged one is why git says nothing.
    """
    link = None if codebase.is_certain else git.link_file(folder)
    if link is not None:
        raise CodebaseUnknown(
            f"{os.path.dirname(link)} is linked to a repository elsewhere, and git does not say"
            " which: nothing is written, since the project's facts would be looked for in another"
            " place"
        )


def _stands_for_itself(folder: str) -> bool:
    """Whether git, had it answered, would have said `folder` itself, or that it is in none."""
    try:
        return not git.may_be_repository(folder) or (
            git.git_folder(folder) == os.path.join(folder, ".git")
        )
    except (OSError, ValueError):  # no such folder
        return True


def repo_codebase_key(folder: str) -> str | None:
    """The key of the repository that `folder` is in; None outside of one, or without git."""
    # A symbolic link to a subdirectory is resolved first: git answers relative to the real place.
    here = _canonical(folder)
    key = _known.get(here)
    if key is None and (place := _repository(here)) is not None:
        key = _known[here] = path_key(place)
    return key


def _repository(folder: str) -> str | None:
    """The canonical path that stands for the repository: what all its worktrees share."""
    try:
        if not git.may_be_repository(folder):
            return None
    except (OSError, ValueError):  # no such folder, and nothing to ask git
        return None
    answer = _ask(folder)
    if answer is None:
        return None
    first, _, second = answer.partition(b"\n")
    is_bare = _IS_BARE.get(first.removesuffix(b"\r"))
    common = os.fsdecode(second.removesuffix(b"\n").removesuffix(b"\r"))
    if is_bare is None or not common:
        return None
    place = _canonical(os.path.join(folder, common))
    if not is_bare and os.path.basename(place) == ".git":
        return os.path.dirname(place)
    return place


def _ask(folder: str) -> bytes | None:
    asked_s = clock.monotonic()
    if asked_s < _silent_until.get(folder, asked_s):
        return None
    answer = git.run(folder, "rev-parse", "--is-bare-repository", "--git-common-dir")
    if answer is None:
        now_s = clock.monotonic()
        _silent_until[folder] = now_s + max(GIT_SILENCE_S, GIT_SILENCE_PER_WAIT * (now_s - asked_s))
    return answer


def _canonical(folder: str) -> str:
    try:
        return os.path.realpath(folder)
    except (OSError, ValueError):  # the working directory is gone, or it can be no path at all
        return folder.encode("utf-8", "replace").decode()
