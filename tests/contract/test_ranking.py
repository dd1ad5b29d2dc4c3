"""Ranking is exact BM25 at every commit, whatever was put, removed and merged before."""

from __future__ import annotations

import math
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfact.engine.storage.base import Cut
from holdfact.text.bm25 import rank

if TYPE_CHECKING:
    from holdfact.core.types import Kind
    from holdfact.engine.storage.base import Storage
    from tests.contract.conftest import Contract, Model, Provider

pytestmark = pytest.mark.requirement("SPEC-ENG-01", "SPEC-ENG-02")

Step = tuple[str, str, list[str]]
WORDS = ["a", "b", "c", "d", "e", "f", "g", "h", "rare", "x1"]
KEYS = "pqrstu"


class Question(NamedTuple):
    """What a store is asked; `keys` are the documents that its filter lets through."""

    terms: list[str]
    k: int
    share: float = 0.0
    keys: str | None = None
    is_one_word: bool = False


def check(storage: Storage, model: Model, ask: Question) -> None:
    """The store answers as brute force over the model does: scores, order, ties, filter, cut."""
    every = model.entries(storage)
    variants = [tuple(ask.terms)] if ask.is_one_word else []
    ranked = {hit.id: hit.score for hit in rank(every, variants or ask.terms, len(every))}
    some = [chunk for chunk, counts in every.items() if counts]
    scores = storage.scores(ask.terms, some, variants)
    assert [scores[chunk] for chunk in some] == pytest.approx(
        [ranked.get(chunk, 0.0) for chunk in some], rel=1e-9
    )

    inside = [chunk for chunk in model.entries(storage, ask.keys) if chunk in ranked]
    floor = max([scores[chunk] for chunk in inside], default=0.0) * ask.share
    wanted = [(chunk, scores[chunk]) for chunk in inside if scores[chunk] >= floor]
    wanted.sort(key=lambda hit: (-hit[1], hit[0]))
    tied = [hit for hit in wanted[ask.k :] if hit[1] == wanted[ask.k - 1][1]]
    keys = ask.keys
    only = None if keys is None else lambda stamp: stamp.key in keys
    cut = Cut(ask.share, 0.0)
    hits = storage.lexical(ask.terms, ask.k, cut=cut, only=only, variants=variants)
    assert wanted[: ask.k] + tied == hits

    matching = [c for c in sorted(inside) if all(term in every[c] for term in ask.terms)]
    assert matching[: ask.k] == storage.matching(ask.terms, ask.k, only=only)


def check_documents(storage: Storage, model: Model) -> None:
    """The store holds the documents of the model and no others."""
    assert sorted(model.documents) == [
        (stamp.kind, stamp.key) for stamp in storage.stamps() if stamp.document is not None
    ]
    languages = {language for language, _ in model.documents.values()}
    assert sorted(languages) == storage.languages()
    assert model.statistics() == storage.statistics()._replace(terms=0, bytes=0)
    for (kind, key), (_, chunks) in model.documents.items():
        assert "\n".join(chunks) == storage.text(storage.document(kind, key) or 0)


def apply(
    contract: Contract, provider: Provider, storage: Storage, model: Model, step: Step
) -> None:
    """Do one step to the store and to the model. An upper-case key is a fact's."""
    action, name, chunks = step
    kind: Kind = "fact" if name.isupper() else "document"
    language = "german" if name.lower() < "r" else "english"
    if action == "settle":
        provider.settle(storage)
    elif action == "remove":
        storage.write([], removes=[(kind, name)])
        model.remove(kind, name)
    elif action == "fail":  # the source is there and can't be read any more
        stamp = contract.put(name, kind=kind)[2]._replace(reason="binary")
        storage.write([], removes=[(kind, name)], stamps=[stamp])
        model.remove(kind, name)
    else:
        one = contract.put(name, *chunks, kind=kind, language=language)
        if action == "put":
            storage.write([one])
        else:
            provider.bulk(storage, [one])
        model.put(name, *chunks, kind=kind, language=language)


texts = st.lists(st.sampled_from(WORDS), min_size=0, max_size=12).map(" ".join)
steps = st.tuples(
    st.sampled_from(["put", "put", "put", "bulk", "bulk", "remove", "remove", "fail", "settle"]),
    st.sampled_from(KEYS + KEYS.upper()),
    st.lists(texts, max_size=4),
)
questions = st.builds(
    Question,
    terms=st.lists(st.sampled_from([*WORDS, "none"]), min_size=1, max_size=5, unique=True),
    k=st.integers(1, 8),
    share=st.sampled_from([0.0, 0.4]),
    keys=st.none() | st.just("") | st.sampled_from(["p", "pPqQrR", "stuSTU"]),
    is_one_word=st.booleans(),
)


@settings(max_examples=100)
@given(history=st.lists(steps, max_size=14), asked=st.lists(questions, min_size=1, max_size=3))
def test_ranks_like_brute_force_after_any_history(
    contract: Contract, provider: Provider, history: list[Step], asked: list[Question]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        storage = provider.open(Path(folder))
        model = contract.Model()
        for step in history:
            apply(contract, provider, storage, model, step)
            for ask in asked:
                check(storage, model, ask)
        check_documents(storage, model)
        storage.close()


def test_stays_exact_over_thousands_of_updates_and_merges(
    contract: Contract, provider: Provider, storage: Storage
) -> None:
    seed = 20_261_130
    dice = random.Random(seed)  # noqa: S311 - a test's dice
    words = [f"w{n}" for n in range(300)]
    weights = [1 / (n + 1) for n in range(300)]
    model = contract.Model()
    for step in range(2_000):
        name = f"{dice.choice(KEYS)}{dice.randrange(25)}"
        chunks = [
            " ".join(dice.choices(words, weights, k=dice.randrange(1, 40)))
            for _ in range(dice.randrange(4))
        ]
        action = dice.choices(["put", "remove", "bulk", "settle"], [70, 25, 3, 2])[0]
        apply(contract, provider, storage, model, (action, name, chunks))
        if step % 100 == 0:
            for share in (0.0, 0.4):
                for size in (2, 4, 7):
                    # Words of all texts and rare ones, as questions have them.
                    terms = sorted({*dice.choices(words, weights, k=size), dice.choice(words)})
                    check(storage, model, Question(terms, dice.randrange(1, 30), share))
    check_documents(storage, model)


def test_stays_exact_where_ids_are_far_apart(
    contract: Contract, provider: Provider, storage: Storage
) -> None:
    """Stores keep their lists in ranges of ids; a word is in one of them or in several."""
    model = contract.Model()

    def step(action: str, name: str, *chunks: str) -> None:
        apply(contract, provider, storage, model, (action, name, list(chunks)))

    def ask() -> None:
        for terms in (["few", "first", "often"], ["last", "rare"]):
            check(storage, model, Question(terms, 4))

    for number in range(9):
        step("bulk", f"p{number}", "often few often " * number, "often other")
    step("bulk", "q-rare", "rare first few", "few")
    step("bulk", "q-far", *[""] * 65_000)
    for number in range(9):
        step("bulk", f"r{number}", "often " * number, "often other")
    step("bulk", "s-rare", "few rare last", "last")
    step("settle", "")
    step("remove", "p3")
    step("remove", "q-rare")
    step("put", "r1", "often rare rare", "first")
    ask()
    step("settle", "")
    ask()
    for number in range(9):
        step("remove", f"p{number}")
    step("settle", "")
    step("bulk", "p-rare", "few first often rare")
    ask()
    check_documents(storage, model)


def test_equal_chunks_tie_and_all_that_tie_with_the_last_are_given(
    contract: Contract, provider: Provider, storage: Storage
) -> None:
    for number in range(6):
        storage.write([contract.put(f"{number}.md", "one two", "one")])
    provider.settle(storage)
    for number in range(6, 9):
        storage.write([contract.put(f"{number}.md", "one", "two one")])
    ids = [storage.document("document", f"{number}.md") or 0 for number in range(9)]
    short = sorted([document + 1 for document in ids[:6]] + ids[6:])
    long = sorted(ids[:6] + [document + 1 for document in ids[6:]])
    for k in range(1, 10):
        hits = storage.lexical(["one"], k, cut=Cut(0.0, 0.0))
        assert short == [hit.chunk for hit in hits]
    for k in range(10, 20):
        hits = storage.lexical(["one"], k, cut=Cut(0.0, 0.0))
        assert short + long == [hit.chunk for hit in hits]


def test_a_filter_changes_what_is_found_and_no_score(contract: Contract, storage: Storage) -> None:
    for number in range(8):
        storage.write([contract.put(f"{number}.md", "one " * (number + 1), "two one")])
    every = dict(storage.lexical(["one", "two"], 99, cut=Cut(0.0, 0.0)))
    some = storage.lexical(
        ["one", "two"], 99, cut=Cut(0.0, 0.0), only=lambda stamp: stamp.key in {"2.md", "5.md"}
    )
    assert len(every) == 16
    assert len(some) == 4
    assert dict(some).items() <= every.items()


def test_the_terms_of_one_word_weigh_what_the_word_weighs(
    contract: Contract, provider: Provider, storage: Storage
) -> None:
    """A stem that few documents have must not outweigh the same word's stem that many have."""
    for number in range(9):
        storage.write([contract.put(f"many{number}", "stem other")])
    storage.write([contract.put("few", "stema other")])
    provider.settle(storage)
    apart = dict(storage.lexical(["stem", "stema"], 20, cut=Cut(0.0, 0.0)))
    as_one = dict(
        storage.lexical(["stem", "stema"], 20, cut=Cut(0.0, 0.0), variants=[("stem", "stema")])
    )
    assert len(set(apart.values())) == 2
    assert len(set(as_one.values())) == 1
    assert as_one == storage.scores(["stem", "stema"], list(as_one), [("stem", "stema")])
    # nine and one of ten: the weight of a word that every chunk has
    assert next(iter(as_one.values())) == pytest.approx(math.log(1 + 0.5 / 10.5))
