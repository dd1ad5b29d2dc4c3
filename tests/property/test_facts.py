"""What holds for every fact: it reads back, and the index and snippets keep their budgets."""

from __future__ import annotations

import tempfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.core.errors import FactUnreadable, ValueRefused
from holdfact.facts import Lifecycle, Memory, Scope, SearchOptions, Store
from holdfact.facts.fact import parse, serialize
from holdfact.facts.printable import clean, escaped
from holdfact.facts.prompt_index import render
from holdfact.facts.quoting import quote, unquote
from holdfact.facts.rules import check
from holdfact.facts.search import search
from holdfact.facts.whitespace import WHITE_SPACE

# What trips readers up: white space of every kind, quotes, rules, colons, line ends, look-alikes.
_TRICKY = WHITE_SPACE + "\x1c\x1f\0\x7f\u200b\ufeff\"'`\\:-#aé😀İΣ\u0301"
_text = st.one_of(
    st.text(max_size=40),
    st.text(st.sampled_from(_TRICKY), max_size=12),
    st.lists(st.sampled_from(["---", "\n", "\r\n", "\r", ": ", '"', "x"]), max_size=8).map("".join),
)
_slug = st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,2}", fullmatch=True)
_memories = st.builds(
    Memory,
    name=_slug,
    description=_text,
    scope=st.sampled_from(list(Scope)),
    body=_text,
    type=st.sampled_from([None, "user", "feedback", "project", "reference", "bogus"]),
    invalidate_when=st.one_of(st.just(""), _text),
    lifecycle=st.sampled_from(list(Lifecycle)),
    path=st.none(),
)


def _acceptable(memory: Memory) -> Memory:
    """`memory` itself, or with less that can be refused."""
    try:
        check(memory)
    except ValueRefused:
        return memory._replace(description="d", invalidate_when="", lifecycle=Lifecycle.DURABLE)
    return memory


@pytest.mark.requirement("SPEC-FACT-22")
@given(_memories)
def test_write_then_read_returns_what_was_written(memory: Memory) -> None:
    try:
        checked, notes = check(memory)
    except ValueRefused:
        return
    parsed = parse(serialize(checked))
    read = parsed.as_memory(memory.name, memory.scope)
    assert checked == read._replace(type=memory.type)
    assert [] == parsed.warnings(memory.name, memory.scope)
    assert parsed.is_utf8
    # Without a note, it is to the letter what was given (white space around the condition too).
    if not any("kept" in note for note in notes):
        expected = (memory.description, memory.body.rstrip("\n"))
        assert expected == (read.description, read.body)
    assert (checked, []) == (
        check(checked).memory,
        [note for note in check(checked).notes if "kept" in note],
    )


@pytest.mark.requirement("SPEC-FACT-22", "SPEC-FACT-24")
@given(
    _memories.map(_acceptable), st.lists(_text.filter(lambda line: "\n" not in line), max_size=4)
)
def test_a_store_returns_what_was_written_and_preserves_the_rest(
    memory: Memory, lines: list[str]
) -> None:
    header = "\n".join(["---", *lines, "---", ""]).encode()
    kept = [line.rstrip("\r") for line in parse(header).kept_lines]
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder, folder, project_dir="facts")
        store.write(memory)
        before = store.read(memory.id)
        path = str(before.path)
        with open(path, "wb") as file:
            file.write(header)
        store.write(before)
        assert before == store.read(memory.id)
        with open(path, "rb") as file:
            assert kept == list(parse(file.read()).kept_lines)


@pytest.mark.requirement("SPEC-FACT-4")
@given(st.one_of(_text, st.text()))
def test_a_quoted_text_reads_back(text: str) -> None:
    literal = quote(text)
    assert text == unquote(literal)
    assert literal.isprintable()


@pytest.mark.requirement("SPEC-FACT-8")
@given(
    st.one_of(
        st.binary(max_size=60),
        st.lists(
            st.sampled_from(
                [
                    b"---",
                    b"\n",
                    b"\r\n",
                    b"invalidate_when: ",
                    b'"\\x',
                    b"'",
                    b"\xff",
                    b"name:",
                    b" ",
                ]
            ),
            max_size=14,
        ).map(b"".join),
    )
)
def test_reading_any_bytes_answers_or_says_malformed(data: bytes) -> None:
    try:
        parsed = parse(b"---\n" + data)
    except FactUnreadable:
        return
    assert parsed.body == parsed.body.strip("\n")
    lines = data.count(b"\n") + 2
    assert 1 <= parsed.first_body_line <= lines + 1


@pytest.mark.requirement("SPEC-FACT-5")
@given(
    st.lists(
        st.builds(
            Memory,
            st.text(),
            st.text(),
            st.sampled_from(list(Scope)),
            lifecycle=st.sampled_from(list(Lifecycle)),
        ),
        max_size=20,
    )
)
def test_one_fact_is_one_line(memories: list[Memory]) -> None:
    index = render(memories)
    assert len(memories) == len(index.text.splitlines())
    assert len(index.text.encode()) == index.status.used_bytes


@pytest.mark.requirement("FACT-13", "FACT-14")
@given(st.lists(st.tuples(st.sampled_from(list(Scope)), st.integers(0, 3_000)), max_size=40))
def test_the_index_keeps_its_budget(shapes: list[tuple[Scope, int]]) -> None:
    memories = [Memory(f"n-{n:03d}", "d" * size, scope) for n, (scope, size) in enumerate(shapes)]
    index = render(memories)
    status = index.status
    shown = [line for line in index.text.splitlines(keepends=True) if not line.startswith("- …")]
    assert status.used_bytes == len("".join(shown).encode()) <= status.budget_bytes
    assert len(memories) - len(shown) == status.dropped == len(index.dropped_ids)
    assert status.dropped == status.dropped_project + status.dropped_global
    for scope in Scope:
        ids = [memory.id for memory in memories if memory.scope is scope]
        seen = [line.split(" ")[1] for line in shown if line.startswith(f"- {scope.value}/")]
        assert ids[: len(seen)] == seen
    # Neither scope leaves room that the other's next line could use.
    room = status.budget_bytes - status.used_bytes
    firsts = {identifier.split("/")[0]: identifier for identifier in reversed(index.dropped_ids)}
    dropped = [memory for memory in memories if memory.id in firsts.values()]
    assert all(len(f"- {one.id} — {one.description}\n".encode()) > room for one in dropped)


@pytest.mark.requirement("FACT-09", "FACT-31")
@given(st.text(max_size=300), _text.filter(lambda text: bool(text.strip())), st.text(max_size=300))
def test_a_literal_is_found_where_it_stands(before: str, needle: str, after: str) -> None:
    fact = Memory("n", "", Scope.PROJECT, before + needle + after)
    result = search([fact], SearchOptions(needle))
    assert 1 == result.total
    snippet = result.hits[0].snippet
    assert 240 >= len(snippet.encode())
    assert snippet == clean(snippet)


@pytest.mark.requirement("FACT-23")
@given(st.lists(_slug, unique=True, max_size=60), st.integers(1, 25))
def test_pages_put_together_are_all_hits(names: list[str], limit: int) -> None:
    facts = [Memory(name, "same", Scope.GLOBAL) for name in names]
    offset, found = 0, []
    while True:
        page = search(facts, SearchOptions("same", limit=limit, offset=offset))
        if not page.hits:
            break
        found += [hit.id for hit in page.hits]
        offset += limit
    assert sorted(f"global/{name}" for name in names) == found


@given(st.text())
def test_escaped_text_is_one_line_of_utf8(text: str) -> None:
    assert 1 >= len(escaped(text).splitlines())
    assert len(text) <= len(escaped(text).encode().decode())
    assert escaped(text) == escaped(escaped(text))
