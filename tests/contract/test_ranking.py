"""Every provider ranks exactly like brute force, at every commit, whatever was written before."""

from __future__ import annotations

import math
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfact.engine.storage import sqlite as sqlite_module
from holdfact.engine.storage.base import Cut
from holdfact.engine.storage.pieces import PieceBuilder
from holdfact.engine.storage.sqlite import SqliteStorage

if TYPE_CHECKING:
    from tests.contract.conftest import Contract, Model

Step = tuple[str, str, list[str]]
WORDS = ["a", "b", "c", "d", "e", "f", "g", "h", "rare", "x1"]


def check(storage: SqliteStorage, model: Model, terms: list[str], k: int, cut: Cut) -> None:
    """The best k of the store are the best k of the model, with their scores."""
    hits = storage.lexical(terms, k, cut=cut)
    located = storage.locate([hit.chunk for hit in hits])
    got = [((at.record.key, at.ordinal), hit.score) for at, hit in zip(located, hits, strict=True)]
    wanted = sorted(model.scores(terms).items(), key=lambda item: -item[1])
    if cut.share and wanted:
        wanted = [item for item in wanted if item[1] >= wanted[0][1] * cut.share]
    assert len(wanted[:k]) == min(k, len(got))
    assert [s for _, s in wanted[: len(got)]] == pytest.approx([s for _, s in got], rel=1e-9)
    assert all(model.scores(terms)[at] == pytest.approx(score) for at, score in got)
    # ties with the last are all there
    if len(wanted) > k:
        last = wanted[k - 1][1]
        tied = {at for at, score in wanted if score >= last * (1 + 1e-9)}
        assert tied <= {at for at, _ in got}


chunk_texts = st.lists(st.sampled_from(WORDS), min_size=0, max_size=12).map(" ".join)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from("pqrstu"), st.lists(chunk_texts, max_size=3)),
        st.tuples(st.just("remove"), st.sampled_from("pqrstu"), st.just([])),
        st.tuples(st.just("bulk"), st.sampled_from("pqrstu"), st.lists(chunk_texts, max_size=3)),
        st.tuples(st.just("merge"), st.just(""), st.just([])),
    ),
    max_size=12,
)


@pytest.mark.requirement("SPEC-ENG-01", "SPEC-ENG-02")
@settings(max_examples=120, deadline=None)
@given(
    steps=steps, terms=st.lists(st.sampled_from([*WORDS, "none"]), min_size=1, max_size=4),
    k=st.integers(1, 8), share=st.sampled_from([0.0, 0.4]),
)  # fmt: skip
def test_ranks_like_brute_force_after_any_history(
    contract: Contract, steps: list[Step], terms: list[str], k: int, share: float
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        storage = SqliteStorage(str(Path(folder) / "s.db"), contract.recount)
        model = contract.Model()
        for action, key, chunks in steps:
            if action == "put":
                storage.write([contract.put(key, *chunks)])
                model.put(key, *chunks)
            elif action == "remove":
                storage.write([], removes=[("document", key)])
                model.remove(key)
            elif action == "bulk":
                builder = PieceBuilder()
                builder.add(*contract.put(key, *chunks))
                storage.hold([builder.finish()], 0)
                check(storage, model, terms, k, Cut(share, 0.0))
                storage.merge()
                model.put(key, *chunks)
            else:
                storage.merge()
            check(storage, model, terms, k, Cut(share, 0.0))
        storage.close()


@pytest.mark.requirement("SPEC-ENG-01", "SPEC-ENG-02")
def test_stays_exact_over_thousands_of_updates_and_merges(
    contract: Contract, storage: SqliteStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_module, "DELTA_CHUNKS", 60)
    seed = 20_261_130
    dice = random.Random(seed)  # noqa: S311 - a test's dice
    words = [f"w{n}" for n in range(300)]
    weights = [1 / (n + 1) for n in range(300)]
    model = contract.Model()

    def chunks() -> list[str]:
        return [
            " ".join(dice.choices(words, weights, k=dice.randrange(1, 40)))
            for _ in range(dice.randrange(4))
        ]

    for step in range(2_000):
        key = f"doc{dice.randrange(150)}"
        if dice.random() < 0.25:
            storage.write([], removes=[("document", key)])
            model.remove(key)
        else:
            lines = chunks()
            storage.write([contract.put(key, *lines)])
            model.put(key, *lines)
        if step % 50 == 0:
            terms = dice.choices(words, k=dice.randrange(1, 6))
            check(storage, model, terms, dice.randrange(1, 30), Cut(0.0, 0.0))
            check(storage, model, terms, dice.randrange(1, 30), Cut(0.4, 0.0))
    assert storage.revision() > 2_000


@pytest.mark.requirement("SPEC-ENG-01")
def test_the_terms_of_one_word_weigh_what_the_word_weighs(
    contract: Contract, storage: SqliteStorage
) -> None:
    """A stem that few documents have must not outweigh the same word's stem that many have."""
    for number in range(9):
        storage.write([contract.put(f"many{number}", "stem other")])
    storage.write([contract.put("few", "stema other")])
    storage.merge()
    apart = dict(storage.lexical(["stem", "stema"], 20, cut=Cut(0.0, 0.0)))
    as_one = dict(
        storage.lexical(["stem", "stema"], 20, cut=Cut(0.0, 0.0), variants=[("stem", "stema")])
    )
    assert len(set(apart.values())) == 2
    assert len(set(as_one.values())) == 1
    assert as_one == storage.scores(["stem", "stema"], list(as_one), [("stem", "stema")])
    # nine and one of ten: the weight of a word that every chunk has
    assert next(iter(as_one.values())) == pytest.approx(math.log(1 + 0.5 / 10.5))
