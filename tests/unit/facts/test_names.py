"""Names and ids."""

from __future__ import annotations

import pytest

from holdfact.core.errors import ValueRefused
from holdfact.facts.names import (
    check_name,
    fact_id,
    is_fact_file_name,
    parse_id,
    valid_name,
    valid_type,
)
from holdfact.facts.scope import Scope

_BAD_NAMES = [
    "",
    "-",
    "-a",
    "a-",
    "a--b",
    "A",
    "a_b",
    "a b",
    "a.md",
    "é",
    "a\n",
    "a\0",
    "٣",
    "ª",
    "a/b",
    "\udcff",
]


@pytest.mark.requirement("FACT-11")
@pytest.mark.parametrize("name", ["a", "0", "a-b", "ci-uses-port-3306", "a" * 252])
def test_slugs_are_valid(name: str) -> None:
    assert valid_name(name)
    assert name == check_name(name)


@pytest.mark.requirement("FACT-11")
@pytest.mark.parametrize("name", _BAD_NAMES)
def test_everything_else_is_refused_with_a_good_example(name: str) -> None:
    assert not valid_name(name)
    with pytest.raises(ValueRefused, match="as in ci-uses-port-3306"):
        check_name(name)


@pytest.mark.requirement("SPEC-FACT-2")
def test_a_name_must_fit_the_file_system() -> None:
    assert not valid_name("a" * 253)
    with pytest.raises(ValueRefused, match="253 bytes; a fact's name has at most 252"):
        check_name("a" * 253)


@pytest.mark.requirement("FACT-12")
def test_valid_type_knows_the_four() -> None:
    assert all(map(valid_type, ("user", "feedback", "project", "reference")))
    assert not any(map(valid_type, ("", "User", "bogus", "global")))


@pytest.mark.requirement("FACT-30")
def test_parse_id() -> None:
    assert (Scope.PROJECT, "ci") == parse_id("project/ci")
    assert (Scope.GLOBAL, "ci") == parse_id("global/ci")
    assert (None, "ci") == parse_id("ci")
    assert "global/ci" == fact_id(Scope.GLOBAL, "ci")


@pytest.mark.requirement("SPEC-FACT-3")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "../x",
        "/etc/passwd",
        "project/",
        "project/../x",
        "project/a/b",
        "team/x",
        "global/x\0",
        "project/a\n",
        "a" * 100_000,
    ],
)
def test_what_is_no_id_is_refused_in_a_short_message(text: str) -> None:
    with pytest.raises(ValueRefused) as refused:
        parse_id(text)
    assert len(refused.value.message) < 300
    assert "holdfact list" == refused.value.hint


@pytest.mark.requirement("SPEC-FACT-17")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.md", True),
        (".hidden.md", True),
        ("A.MD", False),
        ("MEMORY.md", False),
        ("MEMORY.md.v1.bak.md", False),
        ("a.md.tmp", False),
        (".md", False),
        (".holdfact-tmp-1-2.md", False),
    ],
)
def test_which_files_are_facts(name: str, expected: bool) -> None:  # noqa: FBT001 - a table
    assert is_fact_file_name(name) is expected
