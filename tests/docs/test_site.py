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


def test_the_site_builds_strictly_and_stands_alone(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr + done.stdout)
    pages = sorted(tmp_path.rglob("*.html"))
    assert tmp_path / "reference" / "errors.html" in pages
    fetching = [p.name for p in pages if FETCHED.search(p.read_text(encoding="utf-8"))]
    assert fetching == []


def test_a_foreign_script_would_be_found() -> None:
    assert FETCHED.search('<script defer src="https://cdn.example/x.js">')
    assert FETCHED.search('<link rel="stylesheet" href="//fonts.example/x.css">')
    assert not FETCHED.search('<a href="https://x.example">x</a><script src="assets/x.js">')
