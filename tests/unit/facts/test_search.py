"""Search: literal and RE2, bounded snippets."""

from __future__ import annotations

import sys

import pytest

from holdfact.core.errors import ExtraMissing, PatternInvalid, UsageError
from holdfact.facts import Memory, Scope, SearchOptions
from holdfact.facts.search import SearchHit, search

FACTS = [
    Memory("docker", "d", Scope.PROJECT, "b"),
    Memory("b", "uses Docker", Scope.PROJECT, "docker"),
    Memory("a", "d", Scope.GLOBAL, "in\n\tDOCKER\u2003now"),
]


@pytest.mark.requirement("FACT-21", "FACT-31")
def test_one_hit_a_fact_in_its_first_field() -> None:
    result = search(FACTS, SearchOptions("docker"))
    expected = [
        SearchHit("project/docker", "name", "docker"),
        SearchHit("project/b", "description", "uses Docker"),
        SearchHit("global/a", "body", "in DOCKER now"),
    ]
    assert (expected, 3, 0, 10) == result


@pytest.mark.requirement("FACT-31")
@pytest.mark.parametrize(
    ("query", "body", "is_found"),
    [
        ("istanbul", "İSTANBUL", True),
        ("i\u0307stanbul", "İSTANBUL", False),
        ("\u03c3", "\u03a3", True),
        ("\u03c2", "\u03a3", False),
        ("ΟΔΟΣ", "ΟΔΟΣΑ", True),  # at the end of a word Python would fold it differently
        ("οδοσ", "ΟΔΟΣ", True),
        ("k", "\u212a", True),
        ("ß", "ẞ", True),
        ("ss", "ß", False),
        (" x", "x", False),
        ("é\udcff", "é\udcff", False),
    ],
)
def test_simple_case_mapping(query: str, body: str, is_found: bool) -> None:  # noqa: FBT001 - a table's column
    facts = [Memory("a", "d", Scope.PROJECT, body)]
    assert int(is_found) == search(facts, SearchOptions(query)).total


def test_only_one_character_has_a_longer_lower_case() -> None:
    """What folding relies on: with a newer Unicode, this would tell."""
    longer = [code for code in range(sys.maxunicode + 1) if len(chr(code).lower()) > 1]
    assert [0x130] == longer


@pytest.mark.requirement("FACT-10", "FACT-22", "FACT-23")
@pytest.mark.parametrize(
    ("limit", "offset", "shown", "used"),
    [
        (0, 0, 10, (0, 10)),
        (-1, -1, 10, (0, 10)),
        (3, 28, 2, (28, 3)),
        (26, 1, 25, (1, 25)),
        (5, 99, 0, (30, 5)),
    ],
)
def test_pages(limit: int, offset: int, shown: int, used: tuple[int, int]) -> None:
    facts = [Memory(f"a-{n:02d}", "d", Scope.PROJECT) for n in range(30)]
    result = search(facts, SearchOptions("a-", limit=limit, offset=offset))
    assert (shown, 30, used) == (len(result.hits), result.total, result[2:])
    expected = [f"project/a-{n:02d}" for n in range(used[0], used[0] + shown)]
    assert expected == [hit.id for hit in result.hits]


@pytest.mark.requirement("FACT-22")
@pytest.mark.parametrize("query", ["", " \t", "\u2003", "x" * 4_097])
@pytest.mark.parametrize("regex", [False, True])
def test_a_blank_or_huge_query_is_refused(query: str, regex: bool) -> None:  # noqa: FBT001 - both modes
    with pytest.raises(UsageError, match="the query"):
        search(FACTS, SearchOptions(query, regex=regex))


@pytest.mark.requirement("FACT-22")
def test_patterns_see_case_and_lines() -> None:
    def ids(pattern: str) -> list[str]:
        return [hit.id for hit in search(FACTS, SearchOptions(pattern, regex=True)).hits]

    assert ["project/docker", "project/b"] == ids("docker")
    assert ["project/b"] == ids("Dock.r$")
    assert ["global/a"] == ids(r"(?m)^\tDOCKER")
    assert [] == ids("^DOCKER")


@pytest.mark.requirement("FACT-32")
@pytest.mark.parametrize(
    "pattern",
    ["(", r"(a)\1", "(?=x)", "a{2,1}", r"a\C", r"\\\C", r"\Qx\E\C", r"\Q\C\E.\C", "\ud800"],
)
def test_a_bad_pattern_is_an_error(pattern: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PatternInvalid, match=r"RE2 pattern|not supported"):
        search(FACTS, SearchOptions(pattern, regex=True))
    assert ("", "") == capfd.readouterr()


@pytest.mark.requirement("SPEC-FACT-13")
@pytest.mark.parametrize("pattern", [r"\Q\C\E", r"\\C", r"\Q\C", r"\Q\C\E x.\QC", r"x\.C"])
def test_a_literal_backslash_c_is_no_any_byte(pattern: str) -> None:
    facts = [Memory("a", "d", Scope.PROJECT, r"\C x.C")]
    assert 1 == search(facts, SearchOptions(pattern, regex=True)).total


@pytest.mark.requirement("SPEC-FACT-13")
def test_catastrophic_patterns_are_linear() -> None:
    facts = [Memory("a", "d", Scope.PROJECT, "a" * 16_000)]
    assert 0 == search(facts, SearchOptions("(a*)*b", regex=True)).total


@pytest.mark.requirement("SPEC-FACT-13")
def test_without_re2_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    with pytest.raises(ExtraMissing) as missing:
        search(FACTS, SearchOptions("x", regex=True))
    assert "pip install 'holdfact[regex]'" in missing.value.hint
    assert "pip install google-re2" in missing.value.hint
    assert 3 == search(FACTS, SearchOptions("docker")).total


def test_a_pattern_error_may_be_text(monkeypatch: pytest.MonkeyPatch) -> None:
    import re2

    def refuse(*_: object) -> None:
        raise re2.error("told as text")

    monkeypatch.setattr(re2, "compile", refuse)
    with pytest.raises(PatternInvalid, match="told as text"):
        search(FACTS, SearchOptions("x", regex=True))


@pytest.mark.requirement("FACT-09")
@pytest.mark.parametrize(
    ("before", "after"), [("", "é" * 500), ("é" * 500, ""), ("é" * 500, "😀" * 500), ("", "")]
)
def test_a_snippet_shows_where_the_match_is(before: str, after: str) -> None:
    facts = [Memory("a", "d", Scope.PROJECT, f"{before} NEEDLE {after}")]
    snippet = search(facts, SearchOptions("needle")).hits[0].snippet
    assert len(snippet.encode()) <= 240
    assert "NEEDLE" in snippet
    assert bool(before) is snippet.startswith("…")
    assert bool(after) is snippet.endswith("…")


@pytest.mark.requirement("FACT-09")
def test_bytes_that_were_no_utf8_show_as_replacement_characters() -> None:
    facts = [Memory("a", "d", Scope.PROJECT, "x\udcffy")]
    assert "x\ufffdy" == search(facts, SearchOptions("Y")).hits[0].snippet


@pytest.mark.requirement("FACT-09")
@pytest.mark.parametrize(
    ("before", "after", "shown_before", "shown_after"),
    [
        (0, 0, 0, 0),
        (117, 117, 117, 117),  # 240 bytes: all of it
        (118, 117, 114, 114),  # one more: both ends are cut, the match stays in the middle
        (1_000, 1_000, 114, 114),
        (0, 1_000, 0, 228),  # what one side does not need, the other has
        (10, 1_000, 10, 218),
        (114, 1_000, 114, 114),
        (1_000, 114, 114, 114),
        (1_000, 10, 218, 10),
        (1_000, 0, 228, 0),
    ],
)
def test_a_snippet_uses_its_room_on_both_sides_of_the_match(
    before: int, after: int, shown_before: int, shown_after: int
) -> None:
    facts = [Memory("x", "d", Scope.PROJECT, "a" * before + "NEEDLE" + "b" * after)]
    snippet = search(facts, SearchOptions("needle")).hits[0].snippet
    first = "" if shown_before == before else "…"
    last = "" if shown_after == after else "…"
    assert f"{first}{'a' * shown_before}NEEDLE{'b' * shown_after}{last}" == snippet


@pytest.mark.requirement("FACT-09")
@pytest.mark.parametrize("count", [1, 60])
def test_a_snippet_is_one_line_however_long_the_text_is(count: int) -> None:
    lines = "some text\r\n\n\t and  more\u2003\n" * count
    facts = [Memory("x", "d", Scope.PROJECT, f"{lines}NEEDLE\n\n{lines}")]
    snippet = search(facts, SearchOptions("needle")).hits[0].snippet
    assert "some text and more NEEDLE some text and more" in snippet
    assert snippet.replace("…", "") == " ".join(snippet.replace("…", "").split())


@pytest.mark.requirement("FACT-09")
@pytest.mark.parametrize("letter", ["é", "€", "😀"])
@pytest.mark.parametrize("shift", range(4))
def test_a_snippet_cuts_between_characters_and_no_further_than_needed(
    letter: str, shift: int
) -> None:
    side = letter * 300
    facts = [Memory("x", "d", Scope.PROJECT, f"{'x' * shift}{side}{'N' * (shift + 1)}{side}")]
    snippet = search(facts, SearchOptions("n")).hits[0].snippet
    assert {letter, "N", "…"} == set(snippet)
    assert 240 - 2 * (len(letter.encode()) - 1) <= len(snippet.encode()) <= 240


@pytest.mark.requirement("FACT-09")
@pytest.mark.parametrize("after", ["", "b" * 500])
def test_of_a_match_longer_than_a_snippet_the_beginning_is_shown(after: str) -> None:
    facts = [Memory("x", "d", Scope.PROJECT, f"{'a' * 500}<{'N' * 500}>{after}")]
    snippet = search(facts, SearchOptions("<N+>", regex=True)).hits[0].snippet
    assert f"…<{'N' * 233}…" == snippet


@pytest.mark.requirement("FACT-09", "FACT-31")
@pytest.mark.parametrize(
    ("query", "is_pattern"), [("straße 😀", False), ("STRASSE", False), ("stra.e 😀", True)]
)
def test_a_match_behind_wide_characters_is_shown_whole(query: str, *, is_pattern: bool) -> None:
    """Places are counted in bytes for RE2 and in characters for a text: both must fit."""
    body = "İ😀é" * 200 + "straße 😀 strasse" + "İ😀é" * 200
    result = search([Memory("x", "d", Scope.PROJECT, body)], SearchOptions(query, regex=is_pattern))
    assert "straße 😀 strasse" in result.hits[0].snippet
