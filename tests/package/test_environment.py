"""`tools/environment.sh` on machines that can't make an environment: it says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REFUSES_ALL = "exit 1"
# New enough, but without ensurepip: what Debian's python3 is before python3-venv is installed.
LACKS_VENV = 'case "$2" in *version_info*) exit 0 ;; *) exit 1 ;; esac'


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (None, "no Python >= 3.11 found"),
        (REFUSES_ALL, "no Python >= 3.11 found"),
        (LACKS_VENV, "python3-venv"),
    ],
)
def test_a_machine_without_a_fitting_python(
    tmp_path: Path, program: str | None, message: str
) -> None:
    tools = tmp_path / "a project" / "tools"
    tools.mkdir(parents=True)
    shutil.copy(ROOT / "tools" / "environment.sh", tools)
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("dirname", "cat"):
        (commands / name).symlink_to(str(shutil.which(name)))
    if program:
        fake = commands / "python3"
        fake.write_text(f"#!/bin/sh\n{program}\n", encoding="utf-8")
        fake.chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", tools / "environment.sh", "dev"],
        env={"PATH": str(commands), "HOME": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert message in done.stderr
    assert not (tools.parent / ".venv").exists()
