"""The grammar of a fact's file."""

from __future__ import annotations

import pytest

from holdfact.core.errors import FactUnreadable
from holdfact.facts import Lifecycle, Memory, Scope
from holdfact.facts.fact import parse, serialize
from holdfact.facts.rules import check


@pytest.mark.requirement("FACT-01", "FACT-19")
def test_a_fact_carries_everything() -> None:
    data = b"---\nname: x\ndescription: d\nscope: global\ntype: feedback\ndurable: true\n---\n\nb\n"
    memory = parse(data).as_memory("x", Scope.GLOBAL, "/f/x.md")
    expected = Memory("x", "d", Scope.GLOBAL, "b", "feedback", "", Lifecycle.DURABLE, "/f/x.md")
    assert expected == memory
    assert "global/x" == memory.id


def test_a_memory_needs_only_name_description_and_scope() -> None:
    memory = Memory("x", "d", Scope.PROJECT)
    assert ("", None, "", Lifecycle.LEGACY, None) == memory[3:]


@pytest.mark.requirement("SPEC-FACT-8")
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "missing"),
        (b"name: x\n---\n", "missing"),
        (b"\n---\n---\n", "missing"),
        (b"\n---\n", "missing"),
        (b"\n---", "missing"),
        (b"\x1c---\n---\n", "missing"),
        (b"---", "unterminated"),
        (b"---\nname: x\n", "unterminated"),
        (b"---\nname: x\n--- x\n", "unterminated"),
    ],
)
def test_malformed(data: bytes, reason: str) -> None:
    with pytest.raises(FactUnreadable, match=f"place/x.md: the frontmatter is {reason}"):
        parse(data, "place/x.md")


@pytest.mark.requirement("SPEC-FACT-8")
@pytest.mark.parametrize(
    ("data", "body", "line"),
    [
        (b"---\n---", "", 1),
        (b"---\n---\n", "", 1),
        (b"---\nname: x\ndescription: y\ndurable: true\n---\n\n", "", 3),
        (b"---\ndescription: x\n description : y\n---\n", "", 3),
        (b"---\n---\nb", "b", 3),
        (b"---\nname: x\n---\n\n\nb\n\nc\n\n", "b\n\nc", 6),
        (b"---\r\nname: x\r\n---\r\n\r\nb\r\nc\r\n", "b\nc", 5),
        (b"\xef\xbb\xbf---\n---\nb", "b", 3),
        (b" --- \n\t---\xc2\x85\nb", "b", 3),
    ],
)
def test_body_and_its_line(data: bytes, body: str, line: int) -> None:
    parsed = parse(data)
    assert (body, line) == (parsed.body, parsed.first_body_line)


@pytest.mark.requirement("SPEC-FACT-8")
def test_header_lines() -> None:
    lines = 'a: "q"\nb : \'r\'\n: none\nno colon\n\nname\nc: d: e\na: last\n"x": y\ndurable:true'
    parsed = parse(f"---\n{lines}\n---\n".encode())
    expected = {"a": "last", "b": "r", "c": "d: e", '"x"': "y", "durable": "true"}
    assert expected == parsed.header
    kept = ('a: "q"', "b : 'r'", ": none", "no colon", "name", "c: d: e", "a: last", '"x": y')
    assert kept == parsed.kept_lines
    assert Lifecycle.DURABLE is parsed.lifecycle


@pytest.mark.requirement("SPEC-FACT-8")
@pytest.mark.parametrize(
    ("raw", "value"),
    [('""', ""), ("''", ""), ('"', '"'), ("\"'", "\"'"), ("''x''", "'x'"), ("\"x'", "\"x'")],
)
def test_one_layer_of_quotes_is_taken_off(raw: str, value: str) -> None:
    assert value == parse(f"---\ndescription: {raw}\n---\n".encode()).header["description"]


@pytest.mark.requirement("SPEC-FACT-4")
@pytest.mark.parametrize(
    ("raw", "condition"),
    [
        (r'"a \t b"', "a \t b"),
        (r'"a \n b"', r"a \n b"),
        (r'"a \r b"', r"a \r b"),
        (r'"a \q b"', r"a \q b"),
        ("`a`", "a"),
        ("plain", "plain"),
        ("'more than one'", "more than one"),
        ('""', ""),
        ("", ""),
    ],
)
def test_conditions(raw: str, condition: str) -> None:
    parsed = parse(f"---\ninvalidate_when: {raw}\n---\n".encode())
    assert condition == parsed.invalidate_when
    expected = Lifecycle.CONDITIONAL if condition else Lifecycle.LEGACY
    assert expected is parsed.lifecycle


@pytest.mark.requirement("SPEC-FACT-4", "SPEC-FACT-8")
@pytest.mark.parametrize(
    ("line", "condition"),
    [(r'invalidate_when: "when \"x\""', 'when "x"'), ("invalidate_when:", ""), ("x: y", "")],
)
@pytest.mark.parametrize("order", [1, -1])
def test_no_other_line_of_the_header_is_taken_for_the_condition(
    line: str, condition: str, order: int
) -> None:
    """A quoted description beside it must not make a fact expire."""
    lines = [line, 'description: "d"', "name: `n`", "type: 'user'", 'invalidate: "when z"']
    parsed = parse("\n".join(["---", *lines[::order], "---\n"]).encode())
    lifecycle = Lifecycle.CONDITIONAL if condition else Lifecycle.LEGACY
    assert (condition, lifecycle) == (parsed.invalidate_when, parsed.lifecycle)


def test_a_differing_header_only_warns() -> None:
    parsed = parse(b"---\nname: other\nscope: global\n---\n")
    memory = parsed.as_memory("x", Scope.PROJECT)
    assert ("x", Scope.PROJECT) == (memory.name, memory.scope)
    warnings = parsed.warnings("x", Scope.PROJECT)
    assert [warning.split("says ")[1].split(",")[0] for warning in warnings] == [
        "name: other",
        "scope: global",
    ]
    assert [] == parse(b"---\nname: x\n---\n").warnings("x", Scope.GLOBAL)


@pytest.mark.requirement("SPEC-FACT-6")
def test_bytes_that_are_no_utf8_pass_through() -> None:
    data = b"---\ntag\xff: y\ndescription: caf\xe9\n---\n\nb\xff\n"
    parsed = parse(data)
    assert (
        parsed.header["description"],
        parsed.body,
        parsed.is_utf8,
    ) == ("caf\udce9", "b\udcff", False)
    written = serialize(Memory("x", "d", Scope.PROJECT), parsed.kept_lines)
    assert b"\ntag\xff: y\n---\n" in written


@pytest.mark.requirement("FACT-33")
def test_the_written_form() -> None:
    memory = Memory("x", "d: e", Scope.GLOBAL, "b\n\n", invalidate_when='when "y"')
    expected = (
        b"---\nname: x\ndescription: d: e\nscope: global\ntype: user\n"
        b'invalidate_when: "when \\"y\\""\nmine: 1\n---\n\nb\n'
    )
    assert expected == serialize(memory, ("mine: 1\r",))


def test_check_is_the_strict_rules() -> None:
    memory = Memory("x", "d", Scope.GLOBAL, lifecycle=Lifecycle.DURABLE)
    assert (memory, []) == check(memory)
