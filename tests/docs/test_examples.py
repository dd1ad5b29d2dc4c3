"""The code in README, tutorial and how-to pages does what the page shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.examples import Shell, examples

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    if examples(path.read_text(encoding="utf-8"))
)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_page_does_what_it_shows(page: Path, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    for example in examples(page.read_text(encoding="utf-8")):
        exit_code, output = shell.run(example)
        where = f"{page.name}:{example.line}: {example.code}\n{output}"
        assert example.exit_code == exit_code, where
        assert example.shows(output), where


def test_the_readme_shows_something_that_is_run() -> None:
    assert ROOT / "README.md" in PAGES
