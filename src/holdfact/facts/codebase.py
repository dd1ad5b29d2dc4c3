"""The codebase key: which repository a folder belongs to, as 16 hex digits.

Every worktree, subdirectory and symbolic link into one repository has the same key; a clone has
another, since remotes are ignored. Outside a repository the folder itself is the identity.
"""

from __future__ import annotations

import os

from holdfact.core import git
from holdfact.core.digest import path_key

__all__ = ["codebase_key", "repo_codebase_key"]

_IS_BARE = {b"true": True, b"false": False}
# Answers that named a repository, by canonical folder. The others cost little, or may change.
_known: dict[str, str] = {}


def codebase_key(folder: str) -> str:
    """The key of the repository that `folder` is in, else of the folder itself. Never fails."""
    return repo_codebase_key(folder) or path_key(_canonical(folder))


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
    answer = git.run(folder, "rev-parse", "--is-bare-repository", "--git-common-dir")
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


def _canonical(folder: str) -> str:
    try:
        return os.path.realpath(folder)
    except (OSError, ValueError):  # the working directory is gone, or it can be no path at all
        return folder.encode("utf-8", "replace").decode()
