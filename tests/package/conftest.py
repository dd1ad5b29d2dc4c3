"""The package as a stranger gets it: sdist, the wheel made from it, an empty environment."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]


class Installed(NamedTuple):
    """An environment that holds holdfact and what it needs, nothing else."""

    bin: Path
    home: Path

    def run(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, apart from everything around it."""
        return subprocess.run(
            [self.bin / arguments[0], *arguments[1:]],
            cwd=cwd or self.home,
            env={
                "PATH": f"{self.bin}:/usr/bin:/bin",
                "HOME": str(self.home),
                "HOLDFACT_HOME": str(self.home / "holdfact"),
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


def _run(*arguments: str | Path, cwd: Path) -> None:
    done = subprocess.run(
        arguments,
        cwd=cwd,
        env={k: v for k, v in os.environ.items() if not k.startswith("COVERAGE")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive, built from the working tree."""
    out = tmp_path_factory.mktemp("sdist")
    _run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", out, cwd=ROOT)
    [archive] = out.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive alone."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # new in 3.11.4
        archive.extractall(folder)  # noqa: S202 - built above
    [source] = folder.iterdir()
    out = folder / "out"
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=source)
    [built] = out.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel and its locked dependencies in an environment without even pip."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "-qq", "install"]
    _run(*pip, "--require-hashes", "-r", ROOT / "requirements" / "runtime.txt", cwd=ROOT)
    # No index: what the wheel asks for is either there by now or missing from the lock.
    _run(*pip, "--no-index", wheel, cwd=ROOT)
    home = folder / "home"
    home.mkdir()
    return Installed(python.parent, home)
