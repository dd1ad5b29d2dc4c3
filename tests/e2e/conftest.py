"""The program as a process of its own, with a project and a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import holdfact

PROGRAM = (sys.executable, "-m", "holdfact")
# Stands before a command that Ctrl-C shall reach. A script's shell makes what it starts in the
# background ignore Ctrl-C, the tests as well, and a process hands that on to its children.
_HEED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
INTERRUPTIBLE = (sys.executable, "-c", _HEED)


class Ended(NamedTuple):
    """How a process ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as one JSON object."""
        answer: dict[str, Any] = json.loads(self.stdout)
        return answer


class Process:
    """Starts the program in `project`; its user's folders are below `home`."""

    def __init__(self, project: Path, home: Path) -> None:
        self.project = project
        self.home = home
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("HOLDFACT_", "GIT_", "XDG_"))
        }
        self.environ = {
            **kept,
            "HOLDFACT_HOME": str(home),
            "HOME": str(home.parent / "user"),
            "PYTHONPATH": str(Path(holdfact.__file__).parents[1]),
        }

    def start(
        self,
        *words: str,
        folder: Path | None = None,
        before: tuple[str, ...] = (),
        **options: Any,  # noqa: ANN401 - as Popen takes them
    ) -> subprocess.Popen[bytes]:
        """Start it, behind the words of `before`; `options` are those of `subprocess.Popen`."""
        environ = {**self.environ, **options.pop("environ", {})}
        environ = {name: value for name, value in environ.items() if value is not None}
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        settings.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(
            [*before, *PROGRAM, *words], cwd=folder or self.project, env=environ, **settings
        )

    def __call__(self, *words: str, stdin: bytes | None = None, **options: Any) -> Ended:  # noqa: ANN401 - as above
        """Run it to its end."""
        if stdin is not None:
            options["stdin"] = subprocess.PIPE
        return ended(self.start(*words, **options), stdin)

    def write(self, path: str, text: str) -> Path:
        """Write a file of the project."""
        place = self.project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        return place


def ended(process: subprocess.Popen[bytes], stdin: bytes | None = None) -> Ended:
    """Wait for a process's end."""
    out, err = process.communicate(stdin, timeout=60)
    return Ended(process.returncode, (out or b"").decode("utf-8"), (err or b"").decode("utf-8"))


@pytest.fixture
def process(tmp_path: Path) -> Process:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "user").mkdir()
    return Process(project, tmp_path / "home")
