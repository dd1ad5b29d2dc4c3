"""Where a migration reads and writes below the configuration root."""

from __future__ import annotations

import os
from typing import NamedTuple, Protocol

from holdfact.core.digest import path_key

__all__ = ["Places", "Workspace", "own_hashes", "places_of", "projects_folder"]


class Workspace(Protocol):
    """What a migration needs to know of a fact store."""

    @property
    def config_dir(self) -> str:
        """The configuration root."""

    @property
    def workspace_root(self) -> str:
        """The directory whose project scope it is."""

    @property
    def project_dir(self) -> str:
        """The folder of its project facts."""


class Places(NamedTuple):
    """The paths of one migration.

    Attributes:
        root: the configuration root.
        key: the codebase key of the workspace.
        own: names of the path-keyed stores that are this workspace's own.
    """

    root: str
    key: str
    own: tuple[str, ...]

    @property
    def projects(self) -> str:
        """The folder of the path-keyed stores."""
        return projects_folder(self.root)

    @property
    def sessions(self) -> str:
        """The folder of the recorded sessions."""
        return os.path.join(self.root, "sessions")

    @property
    def codebases(self) -> str:
        """The folder that all codebases share."""
        return os.path.join(self.root, "codebases")

    @property
    def codebase(self) -> str:
        """This codebase's folder."""
        return os.path.join(self.codebases, self.key)

    @property
    def memory(self) -> str:
        """The folder that facts are copied to."""
        return os.path.join(self.codebase, "memory")

    @property
    def marker(self) -> str:
        """The record of what was copied."""
        return os.path.join(self.codebase, "memory-migration.json")

    @property
    def lock(self) -> str:
        """The lock that this and the older program share."""
        return os.path.join(self.codebase, ".memory-migration.lock")

    @property
    def ledger(self) -> str:
        """The list of stores that nobody could claim."""
        return os.path.join(self.codebases, "orphaned-memory.json")

    @property
    def ledger_lock(self) -> str:
        """The lock of the ledger, which every codebase writes."""
        return os.path.join(self.codebases, ".orphaned-memory.lock")


def projects_folder(config_dir: str) -> str:
    """The folder of the path-keyed stores below a configuration root."""
    return os.path.join(config_dir, "projects")


def places_of(workspace: Workspace) -> Places:
    """The places of a workspace's migration; asks git for the codebase key."""
    from holdfact.facts.codebase import identify, require_home

    root = os.path.abspath(workspace.config_dir)
    folder = workspace.workspace_root
    codebase = identify(folder)
    require_home(codebase, folder)
    return Places(root, codebase.key, own_hashes(folder))


def own_hashes(folder: str) -> tuple[str, ...]:
    """The names that a store of `folder` may have.

    The name is the hash of the canonical path. A directory that is gone can't be resolved, so the
    path as it was written counts too.
    """
    names = (path_key(os.path.realpath(folder)), path_key(os.path.abspath(folder)))
    return tuple(dict.fromkeys(names))
