"""The strict rules of writing: each refusal in its turn, each change with a note."""

from __future__ import annotations

import pytest

from holdfact.core.errors import ValueRefused
from holdfact.facts import Lifecycle, Memory, Scope
from holdfact.facts.fact import parse, serialize
from holdfact.facts.rules import check

GOOD = Memory("x", "d", Scope.PROJECT, "b", lifecycle=Lifecycle.DURABLE)


def _refusal(memory: Memory) -> str:
    with pytest.raises(ValueRefused) as refused:
        check(memory)
    return refused.value.message


@pytest.mark.requirement("SPEC-FACT-9")
def test_the_order_of_refusals() -> None:
    """Everything is wrong at once; each mend brings up the next refusal."""
    memory = GOOD._replace(
        name="Bad Name", description=" ", invalidate_when="a\nb", body="x" * 20_000
    )
    steps: list[tuple[str, dict[str, object]]] = [
        ("is not a fact's name", {"name": "x"}),
        ("description is missing", {"description": "a\n\tb" + "c" * 200}),
        ("description has a line break", {"description": "a\tb" + "c" * 200}),
        ("description has a control character", {"description": "c" * 181}),
        ("description has 181 bytes, the limit is 180", {"description": "d"}),
        ("is durable and has invalidate_when", {"lifecycle": Lifecycle.LEGACY}),
        ("invalidate_when has a line break", {"invalidate_when": "when x"}),
        ("the limit is 16384", {"body": "b"}),
    ]
    for expected, mend in steps:
        message = _refusal(memory)
        assert expected in message
        assert any(word in message for word in ("as in", "a good one is"))
        memory = memory._replace(**mend)  # type: ignore[arg-type]
    assert Lifecycle.CONDITIONAL is check(memory).memory.lifecycle


@pytest.mark.parametrize(
    ("condition", "noted"),
    [
        ("when tag v2.0 exists", 0),
        ("when file README.md exist", 1),
        ("when the audit is done", 1),
    ],
)
def test_a_condition_that_only_a_person_can_check_is_noted(condition: str, noted: int) -> None:
    notes = check(GOOD._replace(invalidate_when=condition, lifecycle=Lifecycle.CONDITIONAL)).notes
    assert noted == sum("can't check this condition" in note for note in notes)


@pytest.mark.parametrize(
    ("mend", "refusal"),
    [
        ({"scope": "project"}, "scope is 'project', but must be a Scope, as in Scope.PROJECT"),
        ({"lifecycle": "durable"}, "lifecycle is 'durable', but must be a Lifecycle"),
    ],
)
def test_a_text_is_no_scope_and_no_lifecycle(mend: dict[str, str], refusal: str) -> None:
    assert refusal in _refusal(GOOD._replace(**mend))  # type: ignore[arg-type]


@pytest.mark.requirement("FACT-08")
@pytest.mark.parametrize(
    ("description", "refusal"),
    [
        ("", "missing"),
        ("\u2003\u2028", "missing"),
        ("\x85", "missing"),
        ("a\rb", "line break"),
        ("a\0b", r"U+0000"),
        ("a\x1fb", r"U+001F"),
        ("a\x7fb", r"U+007F"),
        ("a\x80b", r"U+0080"),
        ("a\x9fb", r"U+009F"),
        ("é" * 90 + "x", "181 bytes"),
        ('""', "only quotes"),
        ("' '", "only quotes"),
        ("a\ud800", "not valid Unicode"),
    ],
)
def test_refused_descriptions(description: str, refusal: str) -> None:
    assert refusal in _refusal(GOOD._replace(description=description))


@pytest.mark.requirement("FACT-08")
@pytest.mark.parametrize(
    "description", ["é" * 60, "a\xa0b", "a\u2028b", '"', "'a\"", "a: b", "---", "\u200b", "#"]
)
def test_descriptions_that_are_kept_as_they_are(description: str) -> None:
    assert (description, []) == (
        check(GOOD._replace(description=description)).memory.description,
        check(GOOD._replace(description=description)).notes,
    )


@pytest.mark.requirement("SPEC-FACT-10")
@pytest.mark.parametrize(
    ("description", "kept"),
    [
        ("  padded ", "padded"),
        ("\u2028a\u2029", "a"),
        ('"quoted"', "quoted"),
        ("''twice''", "twice"),
        ("' \" a \" '", "a"),
        (" " * 100 + "d" * 100, "d" * 100),
    ],
)
def test_descriptions_that_are_kept_plainer(description: str, kept: str) -> None:
    checked = check(GOOD._replace(description=description))
    assert kept == checked.memory.description
    assert [True] == ["without the spaces or quotes" in note for note in checked.notes]


@pytest.mark.requirement("SPEC-FACT-11")
@pytest.mark.parametrize(("length", "is_advised"), [(120, False), (121, True), (180, True)])
def test_a_long_description_is_saved_with_advice(length: int, is_advised: bool) -> None:  # noqa: FBT001 - a table's column
    notes = check(GOOD._replace(description="d" * length)).notes
    assert is_advised == any(f"{length} bytes (limit 180)" in note for note in notes)


@pytest.mark.requirement("FACT-16")
@pytest.mark.parametrize("condition", ["", "  ", "\u2003\t\xa0"])
@pytest.mark.parametrize("lifecycle", [Lifecycle.LEGACY, Lifecycle.CONDITIONAL])
def test_a_fact_must_declare_its_lifecycle(condition: str, lifecycle: Lifecycle) -> None:
    memory = GOOD._replace(invalidate_when=condition, lifecycle=lifecycle)
    assert 'as in "when tag v2.0 exists"' in _refusal(memory)


@pytest.mark.requirement("FACT-17", "FACT-18")
def test_exactly_one_lifecycle() -> None:
    assert Lifecycle.DURABLE is check(GOOD._replace(invalidate_when=" ")).memory.lifecycle
    conditional = GOOD._replace(lifecycle=Lifecycle.LEGACY, invalidate_when=" when x ")
    checked = check(conditional).memory
    assert (Lifecycle.CONDITIONAL, " when x ") == (checked.lifecycle, checked.invalidate_when)
    assert "line break" in _refusal(conditional._replace(invalidate_when="a\rb"))
    assert "not valid Unicode" in _refusal(conditional._replace(invalidate_when="\udcff"))


@pytest.mark.requirement("SPEC-FACT-10")
@pytest.mark.parametrize(
    ("body", "kept", "has_note"),
    [
        ("b\n\n", "b", False),
        ("\n\n", "", False),
        ("\n\nb", "b", True),
        ("a\r\nb\r\n", "a\nb", True),
        ("a\r\r\r\nb", "a\nb", True),
        ("a\n\r", "a", True),
        ("\r\n", "", True),
        ("\ra\rb", "\ra\rb", False),
        ("---\n---\n", "---\n---", False),
        ("\0\ufeff", "\0\ufeff", False),
    ],
)
def test_bodies(body: str, kept: str, has_note: bool) -> None:  # noqa: FBT001 - a table's column
    checked = check(GOOD._replace(body=body))
    assert kept == checked.memory.body
    assert has_note == any("LF line ends" in note for note in checked.notes)
    assert kept == parse(serialize(checked.memory)).body


def test_many_quotes_and_carriage_returns_are_taken_off_in_one_pass() -> None:
    """One pair a pass would take minutes, and an agent may write what it was told to."""
    count = 300_000
    checked = check(
        GOOD._replace(description='"' * count + "d" + '"' * count, body="a" + "\r" * count + "\nb")
    )
    assert ("d", "a\nb") == (checked.memory.description, checked.memory.body)


def test_a_body_must_be_valid_unicode() -> None:
    assert "body is not valid Unicode text at character 1" in _refusal(
        GOOD._replace(body="b\udcff")
    )


@pytest.mark.requirement("FACT-07")
def test_the_limit_counts_the_whole_file() -> None:
    head = len(serialize(GOOD._replace(body="")))
    assert 16_384 == len(serialize(check(GOOD._replace(body="x" * (16_384 - head))).memory))
    assert "would have 16385 bytes, the limit is 16384" in _refusal(
        GOOD._replace(body="x" * (16_385 - head))
    )
