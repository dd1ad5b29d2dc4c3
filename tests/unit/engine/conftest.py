"""A project folder with documents, and an engine on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from holdfact.core.types import Document
from holdfact.engine.engine import Engine
from holdfact.engine.generations import Generations
from holdfact.engine.plan import FactSource, Seen
from holdfact.engine.storage.sqlite import SqliteStorage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from holdfact.engine.storage.base import Stamp


class Project:
    """Files below `root`, and a state folder beside it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.root.mkdir()
        self.state = folder / "state"
        self.state.mkdir()

    def write(self, name: str, text: str | bytes) -> Path:
        """A source file."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def engine(self, **changes: Any) -> Engine:  # noqa: ANN401 - settings
        """An engine with the usual settings, or these."""
        settings: dict[str, Any] = {
            "sources": ("**/*.md",), "exclude": (), "chunk_tokens": 400, "chunk_overlap": 80,
            "max_file_bytes": 1_000_000,
        }  # fmt: skip
        return Engine.open(str(self.state), str(self.root), **{**settings, **changes})

    def lease(self) -> AbstractContextManager[None]:
        """The right to write, as another process would hold it."""
        return Generations(str(self.state / "engine")).lease()

    def stamps(self) -> list[Stamp]:
        """What the published index knows of its sources."""
        generations = Generations(str(self.state / "engine"))
        storage = SqliteStorage(
            generations.path(generations.current() or 0), lambda *_: [], read_only=True
        )
        try:
            return storage.stamps()
        finally:
            storage.close()

    def ids(self, query: str, *, k: int = 10, **changes: Any) -> list[str]:  # noqa: ANN401 - settings
        """What a fresh engine finds after a sync."""
        with self.engine(**changes) as engine:
            engine.sync()
            return [hit.id for hit in engine.search(query, k).hits]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def engine(project: Project) -> Iterator[Engine]:
    with project.engine() as opened:
        yield opened


def fact_source(*facts: tuple[str, str, str]) -> FactSource:
    """Facts from (id, description, body)."""
    seen = [
        Seen(key, f"/facts/{key}.md", len(text + body), 1, 1, n)
        for n, (key, text, body) in enumerate(facts)
    ]
    documents = [
        Document(
            key, "fact", f"/facts/{key}.md", body, "", key.split("/")[1], text,
            key.split("/")[0], 6,
        )
        for key, text, body in facts
    ]  # fmt: skip
    return FactSource(seen, lambda: documents)


FactsOf = Callable[..., FactSource]


@pytest.fixture
def facts_of() -> FactsOf:
    return fact_source
