"""A store does what a dictionary of facts would do, whatever is asked of it and in which order."""

from __future__ import annotations

import tempfile
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfact.core.errors import FactAmbiguous, FactConflict, FactNotFound
from holdfact.facts import Lifecycle, Memory, Scope, SearchOptions, Store

_NAMES = ("a", "a-2", "b", "memory")


class Step(NamedTuple):
    """One request; a `stale` one gives the digest of something that is not there."""

    verb: str
    name: str
    scope: Scope | None
    body: str
    is_stale: bool


_steps = st.lists(
    st.builds(
        Step,
        st.sampled_from(["write", "write", "delete"]),
        st.sampled_from(_NAMES),
        st.sampled_from([None, *Scope]),
        st.sampled_from(["", "one", "two\n\nthree"]),
        st.booleans(),
    ),
    max_size=12,
)


def _meant(model: dict[str, Memory], step: Step) -> list[str]:
    """The facts that the step's id may mean: a bare name those of both scopes."""
    scopes = Scope if step.scope is None else (step.scope,)
    return [one for scope in scopes if (one := f"{scope.value}/{step.name}") in model]


def _write(store: Store, model: dict[str, Memory], step: Step) -> None:
    scope = step.scope or Scope.GLOBAL
    fact = Memory(step.name, "d", scope, step.body, lifecycle=Lifecycle.DURABLE)
    if step.is_stale:
        with pytest.raises(FactConflict, match=f"{fact.id} changed since it was read"):
            store.write(fact, if_match="0" * 64)
        return
    digest = store.read_with_digest(fact.id)[1] if fact.id in model else None
    store.write(fact, if_match=digest)
    model[fact.id] = fact


def _delete(store: Store, model: dict[str, Memory], step: Step) -> None:
    asked = step.name if step.scope is None else f"{step.scope.value}/{step.name}"
    meant = _meant(model, step)
    if len(meant) != 1:
        with pytest.raises(FactAmbiguous if meant else FactNotFound):
            store.delete(asked)
        with pytest.raises(FactAmbiguous if meant else FactNotFound):
            store.read(asked)
        return
    if step.is_stale:
        with pytest.raises(FactConflict, match=f"{meant[0]} changed since it was read"):
            store.delete(asked, if_match="0" * 64)
        return
    assert store.read(asked).id == meant[0]
    store.delete(asked, if_match=store.read_with_digest(asked)[1].upper())
    del model[meant[0]]


@pytest.mark.requirement("FACT-26", "SPEC-FACT-25")
@settings(max_examples=60)
@given(_steps)
def test_any_order_of_writes_and_deletes_leaves_what_a_dictionary_would(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, model = Store(folder, folder, project_dir="facts"), dict[str, Memory]()
        for step in steps:
            (_write if step.verb == "write" else _delete)(store, model, step)
            ids = sorted(model, key=lambda one: (one.startswith("global/"), one))
            found = store.list()
            assert ids == [memory.id for memory in found]
            written = [model[one] for one in ids]
            read = [memory._replace(type=None, path=None) for memory in found]
            assert written == read
        assert [document.id for document in store.documents()] == [one.id for one in store.list()]
        assert [stamp.id for stamp in store.stamps()] == [one.id for one in store.list()]
        assert len(model) == store.index_status().facts
        one = sum("one" in memory.body for memory in model.values())
        assert one == store.search(SearchOptions("one")).total
        assert ([], []) == store.survey()[1:]
