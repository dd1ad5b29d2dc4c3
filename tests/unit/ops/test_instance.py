"""The engine of a project: what is a document of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import holdfact

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("facts", "home"),
    [("docs/facts", "home"), ("docs/[f]*", "project/own"), (".holdfact/facts", ".")],
)
def test_a_fact_is_not_found_as_a_document_too(tmp_path: Path, facts: str, home: str) -> None:
    root = tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "a.md").write_text("# zebra", encoding="utf-8")
    (root / "holdfact.toml").write_text(f'[facts]\nproject_dir = "{facts}"\n', encoding="utf-8")
    environ = {"HOLDFACT_HOME": str(tmp_path / home), "HOME": str(tmp_path)}
    memory = holdfact.Memory.open(str(root), environ=environ)
    for scope in holdfact.Scope:
        memory.remember(holdfact.Fact("one", "zebra", scope, lifecycle=holdfact.Lifecycle.DURABLE))
    found = [hit.path for hit in memory.recall("zebra").hits if hit.kind == "document"]
    assert ["docs/a.md"] == found


def test_a_project_that_is_a_folder_of_facts_keeps_its_documents(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# zebra", encoding="utf-8")
    (tmp_path / "holdfact.toml").write_text('[facts]\nproject_dir = "."\n', encoding="utf-8")
    environ = {"HOLDFACT_HOME": str(tmp_path), "HOME": "/"}
    memory = holdfact.Memory.open(str(tmp_path), environ=environ)
    assert ["a.md"] == [hit.path for hit in memory.recall("zebra").hits]
