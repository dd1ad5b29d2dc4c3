"""What is cut without regular expressions is cut as they would."""

# ruff: noqa: SLF001 - the parts are compared with the expressions that they stand for

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.text import identifiers, scripts, snippet


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        # Names in the spellings of programs; what is said twice counts once.
        ("plain", ["plain"]),
        ("Plain", ["plain"]),
        ("getItems", ["getitems", "get", "items"]),
        ("PCs", ["pcs"]),
        ("URLs", ["urls"]),
        ("IDs2", ["ids2", "i", "ds2", "ds", "2"]),
        ("HTTPServers", ["httpservers", "http", "servers"]),
        ("foo2bar", ["foo2bar"]),
        ("Foo2Bar", ["foo2bar", "foo2", "bar", "foo", "2"]),
        ("XMLHttpRequest", ["xmlhttprequest", "xml", "http", "request"]),
        ("aaBbCcDdEeFfGgHh", ["aabbccddeeffgghh", "aa", "bb", "cc", "dd", "ee", "ff", "gg", "hh"]),
        ("aaBbCcDdEeFfGgHhIi", ["aabbccddeeffgghhii"]),
        ("größeWert", ["grössewert", "grösse", "wert"]),
        ("_private", ["private"]),
        ("__init__", ["init"]),
        ("snake_case_name", ["snake_case_name", "snake", "case", "name"]),
        ("a__b", ["a__b", "a", "b"]),
        # Numbers: a word and its number part, what only looks like a number does not.
        ("sha256", ["sha256", "sha", "256"]),
        ("a3f9c1", ["a3f9c1"]),
        ("2024", ["2024"]),
        ("0xFF", ["0xff", "ff"]),
        ("0xF", ["0xf", "f"]),
        ("0xZF", ["0xzf", "0", "x", "zf"]),
        ("0xZZ", ["0xzz", "0", "x", "zz"]),
        ("0x", ["0x"]),
        ("v1.2", ["v1.2", "1.2", "v1", "v", "1", "2"]),
        ("V1.2", ["v1.2", "1.2", "v1", "v", "1", "2"]),
        ("x1.2", ["x1.2", "x1", "x", "1", "2"]),
        ("vim.org", ["vim.org", "vim", "org"]),
        ("v1.x", ["v1.x", "v1", "v", "1", "x"]),
        # Signs belong to short words.
        ("C++", ["c++", "c++"]),
        ("F#", ["f#", "f#"]),
        ("abcdefgh++", ["abcdefgh++", "abcdefgh"]),
        ("abcdefghi++", ["abcdefghi"]),
        ("é++", ["é"]),
        ("C++x", ["c", "x"]),
        ("x+.y", ["x", "y"]),
        ("x+.y.z", ["x", "y.z", "y", "z"]),
        ("#42", ["42"]),
        ("+", []),
        # Dots and slashes.
        ("a..b", ["a..b", "a", "b"]),
        (".env", ["env"]),
        ("a.b/c", ["a.b/c", "a.b", "a", "b", "c"]),
        ("a//b", ["a/b", "a", "b"]),
        ("/usr/bin/", ["usr/bin", "usr", "bin"]),
        ("./a", ["a"]),
        ("../../x/y", ["x/y", "x", "y"]),
        ("//host.org/x", ["host.org", "host", "org", "x"]),
        ("and/or", ["and/or", "and", "or"]),
        ("", []),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-2")
def test_a_name_is_found_whole_and_by_its_parts(word: str, expected: list[str]) -> None:
    assert list(dict.fromkeys(expected)) == list(dict.fromkeys(identifiers.parts(word)))


@pytest.mark.requirement("SPEC-TEXT-2")
def test_the_parts_of_a_path_are_those_of_its_docstring() -> None:
    forms = {"src/foobar_baz.py", "foobar_baz.py", "foobar_baz", "foobar", "foo", "bar", "baz"}
    assert forms | {"src", "py"} == set(identifiers.parts("src/fooBar_baz.py"))


@given(st.from_regex(r"[A-Za-z][a-z0-9_]{0,6}([./][A-Za-z0-9]{1,5}){0,3}", fullmatch=True))
def test_no_part_is_longer_than_its_word_or_made_up(word: str) -> None:
    folded = word.lower()
    assert all(part and part in folded for part in identifiers.parts(word))


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
