"""What is cut without regular expressions is cut as they would."""

# ruff: noqa: SLF001 - the parts are compared with the expressions that they stand for

from __future__ import annotations

import re
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from holdfact.text import identifiers, scripts, snippet


def test_humps_are_cut_as_the_expression_says() -> None:
    for length in range(7):
        for shadow in map("".join, product("Aa0", repeat=length)):
            expected = re.findall(r"A+(?!a)0*|A?a+0*|0+", shadow)
            assert expected == identifiers._humps(shadow, shadow), shadow


@given(st.text("0123vV.٣x"))
def test_a_version_is_digits_and_dots(text: str) -> None:
    expected = re.fullmatch(r"\d[\d.]*", text) is not None
    assert expected == identifiers._is_version(text)


@given(st.text("aZé+#1٣."))
def test_a_sign_belongs_to_a_short_word(text: str) -> None:
    signed = re.fullmatch(r"([A-Za-z]{1,8})(\+\+|#)(\d*)", text)
    assert (signed and signed.groups()) == identifiers._sign_of(text)


@given(st.one_of(st.text(), st.text("a\u0e00\u0e01é中")))
def test_runs_are_found_as_the_expression_says(text: str) -> None:
    found = re.finditer(scripts._RUNS, text)
    expected = [(run.lastgroup or "word", run[0]) for run in found]
    assert expected == scripts.split_runs(text)


def test_the_words_of_a_snippet_are_those_of_the_analyser() -> None:
    expected = re.compile(r"[^\x00-\"$-*,\-:-@\[\]^`{-\x7f]")
    for char in map(chr, range(0x250)):
        assert bool(expected.match(char)) == (char.translate(snippet._PARTS_WORDS) != " "), char
    assert identifiers.parts("##") == []


def test_underscores_around_one_word_of_a_dotted_name_are_no_part_of_it() -> None:
    assert ["x.__init__.y", "x", "init", "y"] == identifiers.parts("x.__init__.y")
