"""Merging: names, the `name:` line, what counts as the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from holdfact.facts.migrations.merge import Incoming, merge, renamed, same_fact

if TYPE_CHECKING:
    from collections.abc import Iterator


def incoming(name: str, data: bytes, age: int = 0) -> Incoming:
    return Incoming(name, data, f"/old/{age}/{name}.md", age)


@pytest.mark.requirement("SPEC-MIG-5")
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"---\nname: a\nx: 1\n---\n\nname: a\n", b"---\nname: b\nx: 1\n---\n\nname: a\n"),
        (b"---\r\nname: a\r\n---\r\n", b"---\r\nname: b\r\n---\r\n"),
        (b"\xef\xbb\xbf---\nname:a\n---\n", b"\xef\xbb\xbf---\nname: b\n---\n"),
        (b" --- \n name : a\n---", b" --- \nname: b\n---"),
        (b"---\nname: a\nname: c\n---\n", b"---\nname: b\nname: b\n---\n"),
        (b"---\nnames: a\nname\n---\n", b"---\nnames: a\nname\n---\n"),
        (b"---\nname: a\n", b"---\nname: a\n"),
        (b"name: a\n---\n", b"name: a\n---\n"),
        (b"---\nk: \xff\xfe\nname: a\n---\n\xff", b"---\nk: \xff\xfe\nname: b\n---\n\xff"),
        (b"", b""),
    ],
)
def test_only_the_name_line_is_rewritten(data: bytes, expected: bytes) -> None:
    assert renamed(data, "b") == expected


@pytest.mark.requirement("SPEC-MIG-5")
@pytest.mark.parametrize("texts", [(b"first", b"second"), (b"second", b"first")])
def test_the_newest_keeps_the_name_and_a_name_that_comes_in_is_not_given_away(
    texts: tuple[bytes, bytes],
) -> None:
    old, new = texts
    merged = merge([incoming("a", old, 1), incoming("a", new, 2), incoming("a-2", b"own", 0)], {})
    assert [(one.name, one.data) for one in merged.placed] == [
        ("a", new),
        ("a-3", old),
        ("a-2", b"own"),
    ]


@pytest.mark.requirement("SPEC-MIG-5")
def test_a_fact_that_gets_another_name_says_so_and_one_that_keeps_its_own_is_not_touched() -> None:
    def fact(name: str, text: str) -> bytes:
        return f"---\nname: {name}\ndescription: d\n---\n\n{text}\n".encode()

    odd = fact("what-an-older-program-wrote", "new")
    merged = merge([incoming("a", odd, 3), incoming("a", fact("a", "old"), 2)], {})
    assert [("a", odd), ("a-2", fact("a-2", "old"))] == [(one.name, one.data) for one in merged[0]]
    beside = merge([incoming("a", fact("a", "new"))], {"a": fact("a", "mine")})
    assert [("a-2", fact("a-2", "new"))] == [(one.name, one.data) for one in beside.placed]


@pytest.mark.requirement("SPEC-MIG-5")
@pytest.mark.parametrize(("existing", "name"), [({}, "a"), ({"a": b"other"}, "a-2")])
def test_the_same_fact_of_several_worktrees_comes_in_once(
    existing: dict[str, bytes], name: str
) -> None:
    same = [incoming("a", b"---\nname: a\n---\n\ntext", age) for age in (1, 3, 2)]
    merged = merge(same, existing)
    assert [(name, same[1])] == [(one.name, one.incoming) for one in merged.placed]
    assert ((same[2], name), (same[0], name)) == merged.skipped
    assert {fact.path: name for fact in same} == merged.names()


def test_the_path_decides_between_facts_of_one_age() -> None:
    first, second = Incoming("a", b"1", "/1", 0), Incoming("a", b"2", "/2", 0)
    assert merge([second, first], {}) == merge([first, second], {})
    assert merge([second, first], {}).placed[0].data == b"1"


def test_a_skipped_fact_tells_where_its_twin_is() -> None:
    twin = b"---\nname: a-7\n---\n\ntext"
    fact = incoming("a", b"---\nname: a\n---\n\ntext")
    merged = merge([fact], {"a": b"other", "a-7": twin, "b-7": twin, "a-x": twin})
    assert merged.placed == ()
    assert merged.skipped == ((fact, "a-7"),)
    assert merged.names() == {fact.path: "a-7"}
    assert same_fact("a", fact.data, {"a-7": twin})
    assert not same_fact("a", fact.data, {"b-7": twin})


def test_a_name_at_the_limit_of_the_file_system_is_cut() -> None:
    name = "é" * 126
    merged = merge([incoming(name, b"1", 1), incoming(name, b"2", 0)], {})
    other = merged.placed[1].name
    assert other == "é" * 125 + "-2"
    assert len(f"{other}.md".encode()) <= 255
    assert merge([incoming(name, b"2")], {name: b"1", other: b"2"}).placed == ()


@pytest.mark.requirement("SPEC-MIG-5")
@pytest.mark.parametrize("number", ["2", "12", "20260102030405"])
def test_a_fact_under_any_number_of_its_name_is_there_already(number: str) -> None:
    assert same_fact("a", b"text", {f"a-{number}": b"text"})
    assert not same_fact("a", b"text", {f"b-{number}": b"text", f"a-0{number}": b"text"})


@pytest.mark.requirement("SPEC-MIG-5")
@pytest.mark.parametrize("number", [2, 100])
def test_a_long_name_that_was_cut_for_its_number_is_known(number: int) -> None:
    name = "x" * 252
    cut = "x" * (252 - len(f"-{number}")) + f"-{number}"
    assert same_fact(name, b"text", {cut: b"text"})
    assert not same_fact(name, b"text", {"x" * 100 + f"-{number}": b"text"})


def test_merging_many_facts_looks_at_each_name_once() -> None:
    class Counted(dict[str, bytes]):
        walks = 0

        def __iter__(self) -> Iterator[str]:
            self.walks += 1
            return super().__iter__()

    existing = Counted({f"old-{number}": b"%d" % number for number in range(50)})
    merge([incoming(f"new-{number}", b"x") for number in range(50)], existing)
    assert existing.walks <= 2
