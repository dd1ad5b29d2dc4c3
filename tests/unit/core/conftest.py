"""A user and a project that are apart from the machine's own."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Place(NamedTuple):
    """A project's folder, the user's folder, and the environment that leads to it."""

    root: Path
    home: Path
    environ: dict[str, str]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    base = tmp_path.resolve()
    (base / "project").mkdir()
    (base / "user").mkdir()
    environ = {"HOLDFACT_HOME": str(base / "home"), "HOME": str(base / "user")}
    return Place(base / "project", base / "home", environ)


@pytest.fixture
def git() -> Callable[..., str]:
    """Run git for real, with an identity and without the user's configuration."""

    def run(folder: Path, *arguments: str) -> str:
        command = ["git", "-c", "user.name=n", "-c", "user.email=n@e", "-C", str(folder)]
        command += ["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"]
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    return run
