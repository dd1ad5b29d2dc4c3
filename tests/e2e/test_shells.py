"""The completion scripts, in the shells that they are for."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import PROGRAM

if TYPE_CHECKING:
    from tests.e2e.conftest import Process

SHELLS = ("bash", "zsh", "fish")
FACT = ("--scope", "project", "--durable", "--description", "CI uses port 3306")
# Each asks for what may follow `holdfact read ci` and prints it, one candidate a line. In zsh the
# completion system needs a terminal: its two commands that the script calls are stood in for.
ASKS = {
    "bash": """
        . "$SCRIPT"
        COMP_WORDS=(holdfact read ci) COMP_CWORD=2
        _holdfact
        printf '%s\\n' "${COMPREPLY[@]}"
    """,
    "zsh": """
        compdef() { :; }
        compadd() { shift; print -l -- "${(P@)1}"; }
        words=(holdfact read ci) CURRENT=3
        . "$SCRIPT"
        _holdfact
    """,
    "fish": """
        source $SCRIPT
        complete -C 'holdfact read ci'
    """,
}


def needs(shell: str) -> pytest.MarkDecorator:
    """The mark of a test that needs a shell: `make test` counts what it leaves out."""
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed")


EACH = pytest.mark.parametrize(
    "shell", [pytest.param(shell, marks=needs(shell)) for shell in SHELLS]
)


def script_of(process: Process, shell: str, folder: Path) -> Path:
    """The completion script, written to a file."""
    place = folder / f"completion.{shell}"
    place.write_text(process("completion", shell).stdout, encoding="utf-8")
    return place


@EACH
@pytest.mark.requirement("SPEC-CLI-35")
def test_the_script_has_no_syntax_error(process: Process, shell: str, tmp_path: Path) -> None:
    script = script_of(process, shell, tmp_path)
    done = subprocess.run([shell, "-n", str(script)], capture_output=True, check=False)
    assert (0, b"") == (done.returncode, done.stderr)


@EACH
@pytest.mark.requirement("SPEC-CLI-35")
def test_the_shell_completes_the_name_of_a_fact(
    process: Process, shell: str, tmp_path: Path
) -> None:
    assert 0 == process("remember", "ci-port", *FACT).code
    program = tmp_path / "bin" / "holdfact"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environ = {
        **process.environ,
        "PATH": f"{program.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "SCRIPT": str(script_of(process, shell, tmp_path)),
    }
    done = subprocess.run(
        [shell, "-c", ASKS[shell]],
        cwd=process.project,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ("ci-port", "") == (done.stdout.strip(), done.stderr)
