"""The generated pages are what the program says today."""

from __future__ import annotations

import pytest

from tools.pages import FOLDER, PAGES, page


@pytest.mark.parametrize("name", PAGES)
def test_the_committed_page_is_current(name: str) -> None:
    committed = FOLDER / name
    assert committed.exists(), f"run `make pages`, then commit {committed.name}"
    assert page(name) == committed.read_text(encoding="utf-8"), "run `make pages`"
