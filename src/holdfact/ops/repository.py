"""What a condition may ask of a repository, answered by the local git only.

A name from a fact is never an option and never an expression: it must pass `git
check-ref-format`, is asked for by its full name after `--end-of-options`, and commits are compared
by their full hash. `core.git` has every transport off, so a partial clone does not fetch what it
lacks.
"""

from __future__ import annotations

import os

from holdfact.core import git

__all__ = ["CannotTell", "Repository"]


class CannotTell(Exception):
    """The question can't be decided here; the message is the evidence. Review catches it."""


class Repository:
    """The repository that a folder is in; each question raises CannotTell where git can't say."""

    def __init__(self, root: str) -> None:
        self._root = root

    def has_tag(self, tag: str) -> tuple[bool, str]:
        """Whether there is a tag of exactly this name, and the evidence."""
        self._require()
        self._require_name("refs/tags/", tag)
        found = self._find(f"refs/tags/{tag}")
        return bool(found), f"tag {tag} {'exists' if found else 'does not exist here'}"

    def is_merged(self, branch: str, into: str) -> tuple[bool, str]:
        """Whether all commits of `branch` are in `into`, and the evidence."""
        self._require()
        tip, base = self._branch(branch), self._branch(into)
        is_part = self._is_part(tip, base)
        return is_part, f"{branch} is {'' if is_part else 'not '}merged into {into}"

    def is_in(self, sha: str, branch: str) -> tuple[bool, str]:
        """Whether the commit is part of `branch`, and the evidence."""
        self._require()
        base = self._branch(branch)
        commit = self._commit(sha)
        if not commit.startswith(sha.lower()):
            raise CannotTell(f"{sha} is not the beginning of a commit's hash here")
        is_part = self._is_part(commit, base)
        return is_part, f"commit {sha} is {'' if is_part else 'not '}in {branch}"

    def _run(self, *arguments: str) -> str | None:
        answer = git.run(self._root, *arguments)
        return None if answer is None else answer.decode("utf-8", "replace")

    def _require(self) -> None:
        if not os.path.isdir(self._root) or not git.may_be_repository(self._root):
            raise CannotTell(f"{self._root} is not in a git repository")
        if self._run("rev-parse", "--git-dir") is None:
            raise CannotTell("git is not installed, or refuses this repository")

    def _require_name(self, prefix: str, name: str) -> None:
        if self._run("check-ref-format", prefix + name) is None:
            raise CannotTell(f"{name} is not a name that git allows")

    def _find(self, *names: str) -> dict[str, str]:
        """Full name → object for those of `names` that exist."""
        listing = self._run(
            "for-each-ref", "--format=%(refname) %(objectname)", "--end-of-options", *names
        )
        if listing is None:
            raise CannotTell("git could not list the names of this repository")
        found = dict(line.rsplit(" ", 1) for line in listing.splitlines())
        return {name: found[name] for name in names if name in found}

    def _branch(self, name: str) -> str:
        """The commit at the tip of a local branch, else of a remote one as last fetched."""
        self._require_name("refs/heads/", name)
        found = self._find(f"refs/heads/{name}", f"refs/remotes/{name}")
        if not found:
            raise CannotTell(f"there is no branch {name} here")
        return next(iter(found.values()))

    def _commit(self, sha: str) -> str:
        found = self._run(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{sha}^{{commit}}"
        )
        if found is None:
            raise CannotTell(f"there is no commit {sha} here")
        return found.strip()

    def _is_part(self, commit: str, base: str) -> bool:
        left = self._run("rev-list", "--max-count=1", commit, f"^{base}")
        if left is None:
            raise CannotTell("git could not compare the histories")
        if left and self._run("rev-parse", "--is-shallow-repository") != "false\n":
            raise CannotTell("the clone is shallow: its history is not all here")
        return not left
