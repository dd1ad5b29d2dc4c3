"""Random old stores: nothing is lost, nothing comes twice, nothing comes back, in any order."""

from __future__ import annotations

import os
import re
import tempfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfact.core.digest import path_key
from holdfact.facts.migrations import migrate
from holdfact.facts.migrations.merge import Incoming, merge, renamed
from holdfact.facts.store import Store

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

names = st.sampled_from(["foo", "foo-2", "foo-3", "bar", "bar-2", "x" * 252])
bodies = st.sampled_from([b"one", b"two", b"three", b"", b"one\r\n"])
headers = st.sampled_from(
    [b"---\nname: {}\nd: 1\n---\n", b"---\r\nname:{}\r\n---\r\n", b"", b"---\n"]
)


@st.composite
def facts(draw: st.DrawFn) -> tuple[str, bytes]:
    name = draw(names)
    return name, draw(headers).replace(b"{}", name.encode()) + draw(bodies)


stores = st.dictionaries(names, st.binary(max_size=6) | facts().map(lambda fact: fact[1]))
incoming = st.lists(
    st.builds(
        lambda fact, age, number: Incoming(fact[0], fact[1], f"/{number}/{fact[0]}.md", age),
        facts(),
        st.integers(0, 3),
        st.integers(0, 9),
    ),
    max_size=12,
    unique_by=lambda one: one.path,
)


def nameless(data: bytes) -> bytes:
    return re.sub(rb"(?m)^name:[^\r\n]*", b"", data)


def applied(existing: Mapping[str, bytes], arriving: list[Incoming]) -> dict[str, bytes]:
    placed = {one.name: one.data for one in merge(arriving, existing).placed}
    assert not set(placed) & set(existing)
    return {**existing, **placed}


@pytest.mark.requirement("SPEC-MIG-5")
@given(incoming, stores)
def test_every_fact_is_in_the_destination_and_what_was_there_is_unchanged(
    arriving: list[Incoming], existing: dict[str, bytes]
) -> None:
    after = applied(existing, arriving)
    assert existing.items() <= after.items()
    kept = {nameless(data) for data in after.values()}
    assert {nameless(one.data) for one in arriving} <= kept


@pytest.mark.requirement("SPEC-MIG-3", "SPEC-MIG-5")
@given(incoming, stores, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_again_adds_nothing(
    arriving: list[Incoming], existing: dict[str, bytes], chance: random.Random
) -> None:
    after = applied(existing, arriving)
    shuffled = arriving[:]
    chance.shuffle(shuffled)
    assert applied(existing, shuffled) == after
    assert applied(after, shuffled) == after


@given(incoming, stores, st.integers(0, 12))
def test_an_interrupted_merge_ends_the_same(
    arriving: list[Incoming], existing: dict[str, bytes], written: int
) -> None:
    wanted = applied(existing, arriving)
    part = merge(arriving, existing).placed[:written]
    partly = {**existing, **{one.name: one.data for one in part}}
    assert applied(partly, arriving) == wanted


@given(facts(), names)
def test_a_new_name_changes_the_name_line_only(fact: tuple[str, bytes], name: str) -> None:
    data = renamed(fact[1], name)
    assert nameless(data) == nameless(fact[1])
    assert renamed(data, fact[0]) == renamed(fact[1], fact[0])


@pytest.mark.requirement("SPEC-MIG-3", "SPEC-MIG-4", "SPEC-MIG-5")
@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(names, bodies, max_size=5),
    st.dictionaries(names, bodies, max_size=3),
    st.none() | bodies,
    st.sets(names),
)
def test_a_whole_migration_loses_nothing_and_brings_nothing_back(
    old: dict[str, bytes], new: dict[str, bytes], flat: bytes | None, deleted: set[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, workspace = os.path.join(folder, "config"), os.path.join(folder, "work")
        store = os.path.join(root, "projects", path_key(os.path.realpath(workspace)))
        memory = os.path.join(store, "memory")
        os.makedirs(memory)
        os.makedirs(workspace)
        for name, body in old.items():
            _write(os.path.join(memory, f"{name}.md"), b"---\nname: x\n---\n" + body)
        if flat is not None:
            _write(os.path.join(store, "MEMORY.md"), flat)
        here = Store(root, workspace)
        assert migrate(here).error is None
        kept = _read(here.project_dir)
        assert set(old) <= set(kept)
        if flat and flat.strip():
            assert any(data.rstrip(b"\n").endswith(flat) for data in kept.values())

        for name in deleted & set(kept):
            os.unlink(os.path.join(here.project_dir, f"{name}.md"))
        before = _read(here.project_dir)
        added = {name: body for name, body in new.items() if name not in old}
        for name, body in added.items():
            _write(os.path.join(memory, f"{name}.md"), b"---\nname: new\n---\nnew " + body)
        report = migrate(here)
        assert report.error is None
        assert sorted(one.name for one in report.copied) == sorted(added)
        after = _read(here.project_dir)
        assert before.items() <= after.items()
        assert len(after) == len(before) + len(added)


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _read(folder: str) -> dict[str, bytes]:
    found = {}
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        with open(os.path.join(folder, name), "rb") as file:
            found[name.removesuffix(".md")] = file.read()
    return found
