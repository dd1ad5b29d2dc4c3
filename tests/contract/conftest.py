"""A tiny corpus for storage providers: a chunk is a line of words, terms are the words."""

from __future__ import annotations

import zlib
from array import array
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import pytest

from holdfact.engine.storage.base import Cut, Record, Stamp
from holdfact.engine.storage.sqlite import SqliteStorage
from holdfact.text.bm25 import rank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from holdfact.core.types import Kind

Put = tuple[Record, list[dict[str, int]], Stamp]
NO_CUT = Cut(0.0, 0.0)


def recount(_record: Record, text: str) -> Sequence[Mapping[str, int]]:
    """The terms of each line; no line for an empty text."""
    return [Counter(line.split()) for line in text.split("\n")] if text else []


def put(key: str, *chunks: str, kind: Kind = "document") -> Put:
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
        kind, key, key, key, "", "", "", "", 1, zlib.crc32(text.encode()).to_bytes(32, "big"),
        len(chunks), spans.tobytes(), zlib.compress(text.encode()),
    )  # fmt: skip
    stamp = Stamp(kind, key, key, len(text), 1, 1, 1)
    return record, [dict(Counter(chunk.split())) for chunk in chunks], stamp


class Model:
    """What a store must answer, by brute force over the live documents."""

    def __init__(self) -> None:
        self.documents: dict[tuple[str, str], list[str]] = {}

    def put(self, key: str, *chunks: str) -> None:
        """A document of these chunks, in place of the one before."""
        self.documents["document", key] = list(chunks)

    def remove(self, key: str) -> None:
        """No such document."""
        self.documents.pop(("document", key), None)

    def scores(self, terms: Sequence[str]) -> dict[tuple[str, int], float]:
        """The score of each chunk (document key, ordinal) that has a term."""
        entries = {
            (key, number): dict(Counter(chunk.split()))
            for (_, key), lines in self.documents.items()
            for number, chunk in enumerate(lines)
        }
        names = dict(enumerate(entries))
        ranked = rank({at: entries[name] for at, name in names.items()}, terms, len(names))
        return {names[found.id]: found.score for found in ranked}


class Provider(NamedTuple):
    """How to make a store, again and again on the same files."""

    name: str
    open: Callable[[Path], SqliteStorage]


PROVIDERS = [Provider("sqlite", lambda folder: SqliteStorage(str(folder / "s.db"), recount))]


@pytest.fixture(params=PROVIDERS, ids=lambda provider: provider.name)
def provider(request: pytest.FixtureRequest) -> Provider:
    chosen: Provider = request.param
    return chosen


@pytest.fixture
def storage(provider: Provider, tmp_path: Path) -> Iterator[SqliteStorage]:
    store = provider.open(tmp_path)
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
