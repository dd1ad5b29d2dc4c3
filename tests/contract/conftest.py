"""A tiny corpus for storage providers: a chunk is a line of words, terms are the words."""

from __future__ import annotations

import zlib
from array import array
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest

from holdfact.engine.storage.base import Record, Stamp, Statistics
from holdfact.engine.storage.pieces import PieceBuilder
from holdfact.engine.storage.sqlite import SqliteStorage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from holdfact.core.types import Kind
    from holdfact.engine.storage.base import Storage

Put = tuple[Record, list[dict[str, int]], Stamp]


def recount(_record: Record, text: str) -> Sequence[Mapping[str, int]]:
    """The terms of each line; no line for an empty text."""
    return [Counter(line.split()) for line in text.split("\n")] if text else []


def put(key: str, *chunks: str, kind: Kind = "document", language: str = "") -> Put:
    """A document of these chunks."""
    text = "\n".join(chunks)
    spans = array("I")
    start = 0
    for number, chunk in enumerate(chunks, 1):
        end = start + len(chunk)
        length = len(chunk.split())
        spans.extend((start, end, number, number, length, zlib.crc32(chunk.encode())))
        start = end + 1
    record = Record(
        kind, key, key, key, "", "", "", language, 1, zlib.crc32(text.encode()).to_bytes(32, "big"),
        len(chunks), spans.tobytes(), zlib.compress(text.encode()),
    )  # fmt: skip
    stamp = Stamp(kind, key, key, len(text), 1, 1, 1)
    return record, [dict(Counter(chunk.split())) for chunk in chunks], stamp


class Model:
    """What a store must answer, by brute force over the live documents."""

    def __init__(self) -> None:
        self.documents: dict[tuple[str, str], tuple[str, list[str]]] = {}

    def put(self, key: str, *chunks: str, kind: Kind = "document", language: str = "") -> None:
        """A document of these chunks, in place of the one before."""
        self.documents[kind, key] = (language, list(chunks))

    def remove(self, kind: str, key: str) -> None:
        """No such document."""
        self.documents.pop((kind, key), None)

    def entries(self, storage: Storage, keys: str | None = None) -> dict[int, dict[str, int]]:
        """The live chunks, by the ids that the store gave them; only of documents in `keys`."""
        found: dict[int, dict[str, int]] = {}
        for (kind, key), (_, chunks) in self.documents.items():
            document = storage.document(kind, key)
            assert document is not None
            if keys is None or key in keys:
                counts = [dict(Counter(chunk.split())) for chunk in chunks]
                found.update(enumerate(counts, document))
        return found

    def statistics(self) -> Statistics:
        """What is counted; terms and bytes are the store's own affair."""
        facts = sum(kind == "fact" for kind, _ in self.documents)
        chunks = sum(len(chunks) for _, chunks in self.documents.values())
        return Statistics(len(self.documents), facts, chunks, 0, 0)


class Provider(NamedTuple):
    """A kind of store, and how it does what the protocol leaves to it.

    `open` makes a store, again and again on the same files. `bulk` writes many documents the way
    that a build does. `settle` takes in what waits, where anything waits.
    """

    name: str
    open: Callable[[Path], Storage]
    bulk: Callable[[Storage, Sequence[Put]], None]
    settle: Callable[[Storage], None]


def _open(folder: Path) -> SqliteStorage:
    return SqliteStorage(str(folder / "s.db"), recount)


def _bulk(storage: Storage, puts: Iterable[Put]) -> None:
    assert isinstance(storage, SqliteStorage)
    builder = PieceBuilder()
    for one in puts:
        assert builder.has_room(len(one[1]))
        builder.add(*one)
    storage.hold([builder.finish()], 0)
    storage.merge()


def _settle(storage: Storage) -> None:
    assert isinstance(storage, SqliteStorage)
    storage.merge()


PROVIDERS = [Provider("sqlite", _open, _bulk, _settle)]


@pytest.fixture(scope="session", params=PROVIDERS, ids=lambda provider: provider.name)
def provider(request: pytest.FixtureRequest) -> Provider:
    chosen: Provider = request.param
    return chosen


@pytest.fixture
def storage(provider: Provider, tmp_path: Path) -> Iterator[Storage]:
    store = provider.open(tmp_path)
    yield store
    store.close()


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[], SqliteStorage]:
    """How to open the embedded store."""
    return lambda: _open(tmp_path)


@pytest.fixture
def embedded(opened: Callable[[], SqliteStorage]) -> Iterator[SqliteStorage]:
    """The embedded store, for what it alone does."""
    store = opened()
    yield store
    store.close()


class Contract(NamedTuple):
    """The helpers above, for the tests."""

    put: Callable[..., Put]
    recount: Callable[..., Sequence[Mapping[str, int]]]
    Model: type[Model]


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract(put, recount, Model)
