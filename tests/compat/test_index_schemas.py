"""Every format of the search index that was ever written is still opened.

Each folder `index-schema-N` holds small documents and the index that the version of that schema
made of them. They are kept as they are: a new schema adds a folder.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from holdfact.engine.engine import Engine
from holdfact.engine.storage.schema import MIGRATIONS

HERE = Path(__file__).parent
VERSIONS = [int(folder.name.rsplit("-", 1)[1]) for folder in sorted(HERE.glob("index-schema-*"))]


def opened(version: int, folder: Path) -> Engine:
    """An engine on a copy of a kept index and its documents."""
    kept = HERE / f"index-schema-{version}"
    shutil.copytree(kept / "documents", folder / "project")
    shutil.copytree(kept / "engine", folder / "state" / "engine")
    return Engine.open(
        str(folder / "state"), str(folder / "project"), sources=("**/*.md",), chunk_tokens=400,
        chunk_overlap=80, max_file_bytes=1_000_000,
    )  # fmt: skip


def test_each_schema_has_a_kept_index() -> None:
    assert list(range(1, len(MIGRATIONS) + 1)) == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("query", "found"), [("roll back", "deploy.md"), ("ERR_4042", "redis.md"), ("成语", "redis.md")]
)
def test_a_kept_index_answers(version: int, query: str, found: str, tmp_path: Path) -> None:
    with opened(version, tmp_path) as engine:
        assert found == engine.search(query, 3).hits[0].id
        report = engine.sync()
        assert ([], 0) == (report.skipped, report.deleted)
        assert found == engine.search(query, 3).hits[0].id
