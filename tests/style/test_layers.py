"""The layer contract can fail: an import upwards, siblings that meet, a package nobody placed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("core/bad.py", "import holdfact.engine\n", "holdfact.core.bad -> holdfact.engine"),
        ("core/bad.py", "def f():\n    import holdfact.text\n", "holdfact.core.bad -> holdfact.t"),
        ("engine/bad.py", "import holdfact.facts\n", "holdfact.engine.bad -> holdfact.facts"),
        ("unplaced/__init__.py", "", "unplaced"),
    ],
)
def test_the_contract_can_fail(tmp_path: Path, path: str, text: str, said: str) -> None:
    shutil.copytree(ROOT / "src" / "holdfact", tmp_path / "holdfact")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    bad = tmp_path / "holdfact" / path
    bad.parent.mkdir(exist_ok=True)
    bad.write_text(f'"""Bad."""\n\n{text}', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", LINT],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "HOME": str(tmp_path), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert said in done.stdout + done.stderr
