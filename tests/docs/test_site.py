"""The documentation site builds without a warning and asks nobody else for anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# What a browser fetches by itself when it opens the page.
FETCHED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?(?:https?:)?//"
    r"|<link\b(?=[^>]*\brel=[\"']?(?:stylesheet|preconnect|preload|icon))[^>]*\bhref=[\"']?(?:https?:)?//"
)


def build(folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Build as `make docs` does. Not `--quiet`: it hides warnings from `--strict` too."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", site],
        cwd=folder,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_site_builds_strictly_and_stands_alone(tmp_path: Path) -> None:
    done = build(ROOT, tmp_path)
    assert done.returncode == 0, done.stderr
    pages = sorted(tmp_path.rglob("*.html"))
    assert tmp_path / "reference" / "errors.html" in pages
    fetching = [p.name for p in pages if FETCHED.search(p.read_text(encoding="utf-8"))]
    assert fetching == []


def test_a_dead_link_breaks_the_build(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[dead](no.md)\n", encoding="utf-8")
    assert build(tmp_path, tmp_path / "site").returncode == 1


def test_a_foreign_script_would_be_found() -> None:
    assert FETCHED.search('<script defer src="https://cdn.example/x.js">')
    assert FETCHED.search('<link rel="stylesheet" href="//fonts.example/x.css">')
    assert not FETCHED.search('<a href="https://x.example">x</a><script src="assets/x.js">')
