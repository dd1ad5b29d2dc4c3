"""Old stores on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from holdfact.facts.migrations.stores import scan_stores

if TYPE_CHECKING:
    from pathlib import Path


def test_a_missing_folder_has_no_stores(tmp_path: Path) -> None:
    assert scan_stores(str(tmp_path / "projects")) == {}


@pytest.mark.requirement("SPEC-MIG-1")
def test_a_linked_store_is_none(tmp_path: Path) -> None:
    (tmp_path / "real" / "memory").mkdir(parents=True)
    (tmp_path / "projects").mkdir()
    (tmp_path / "projects" / "link").symlink_to(tmp_path / "real")
    assert scan_stores(str(tmp_path / "projects")) == {}
