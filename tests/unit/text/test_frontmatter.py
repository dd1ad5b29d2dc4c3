"""Headers of files, read leniently, and titles."""

import time

import pytest

from holdfact.text.frontmatter import as_list, as_text, split
from holdfact.text.title import title


@pytest.mark.parametrize(
    ("text", "header", "body"),
    [
        ("", {}, ""),
        ("body", {}, "body"),
        ("---\ntitle: A b\n---\nbody", {"title": "A b"}, "body"),
        ("\ufeff---\r\nTitle: 'A: b'\r\n---\r\nbody", {"title": "A: b"}, "body"),
        ("---\rtitle: A\r---\rbody", {"title": "A"}, "body"),
        ('+++\ntitle = "A"\n+++\nbody', {"title": "A"}, "body"),
        ("---\ntags: [a, 'b c', ]\n---\n", {"tags": ["a", "b c"]}, ""),
        ("---\naliases:\n  - one\n  - two\nx: 1\n---", {"aliases": ["one", "two"], "x": "1"}, ""),
        ("---\nname: a\n- b\n---\n", {"name": ["a", "b"]}, ""),
        ("---\n- lost\n# note\n...\nbody", {}, "body"),
        ("---\ntitle: open", {}, "---\ntitle: open"),
        ("----\ntitle: rule\n---\n", {}, "----\ntitle: rule\n---\n"),
        ("---\nname: one\n- 'two' \n-  three  \n---\n", {"name": ["one", "two", "three"]}, ""),
        ("---\ntags: [a]\n- b\n---\n", {"tags": ["a", "b"]}, ""),
        ("---\ntags:[a, b]\n---\n", {"tags": ["a", "b"]}, ""),
        ("---\nTwo Words:  x  \nno pair\n---\n", {"two words": "x"}, ""),
        ("---\nkey\t \t: x\na\tb: y\nkey2 = z\n---\n", {"key": "x", "key2": "z"}, ""),
        ("---\nurl: http://a.io:80\n---\n", {"url": "http://a.io:80"}, ""),
        ("---\nx: 1\nx: 2\n---\n", {"x": "2"}, ""),
        (" ---\nx: 1\n---\n", {}, " ---\nx: 1\n---\n"),
        ("---\nx: 1\n+++\n---\nbody", {"x": "1"}, "body"),
        ("--- \t\nx: 1\n---\t\nbody", {"x": "1"}, "body"),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-15")
def test_split(text: str, header: dict[str, object], body: str) -> None:
    found, start = split(text)
    assert header == found
    assert body == text[start:]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("[a, b", "[a, b"),
        ("a, b]", "a, b]"),
        ("[]", []),
        ("[ 'a, b' ]", ["'a", "b'"]),  # a comma parts, whatever the quotes
        ("['']", []),
        ("[x]", ["x"]),
        ('"a"', "a"),
        ("'a'", "a"),
        ("'a\"", "'a\""),
        ("'a", "'a"),
        ("a'", "a'"),
        ("noon", "noon"),
        ("'", "'"),
        ("''", ""),
        ("'it''s'", "it''s"),
    ],
)
@pytest.mark.requirement("SPEC-TEXT-15")
def test_a_value_is_a_text_or_a_list(raw: str, expected: object) -> None:
    assert {"key": expected} == split(f"---\nkey: {raw}\n---\n")[0]


def test_a_header_without_an_end_in_sight_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfact.text.frontmatter.MAX_HEADER_CHARS", 20)
    assert ({"x": "1"}, 4 + 20) == split("---\nx: 1\n" + "#" * 11 + "\n---\nbody")
    assert ({}, 0) == split("---\nx: 1\n" + "#" * 15 + "\n---\nbody")


@pytest.mark.parametrize("filler", [" ", "a", "\t", "a ", ".", "-", "[", "=", ": ", "- ", "'"])
def test_a_long_header_is_read_at_once(filler: str) -> None:
    """One odd file must not hold up a sync: a line of 60,000 characters took a minute."""
    line = "a" + filler * (60_000 // len(filler)) + "\x00"
    started = time.process_time()
    header, start = split(f"---\n{line}\n- {line}\n---\nbody"[:65_000] + "\n---\nbody")
    assert time.process_time() - started < 5
    assert (0 < start) or not header


def test_values_as_text_and_list() -> None:
    assert [as_text(None), as_text("a"), as_text(["a", "b"])] == ["", "a", "a b"]
    assert [as_list(None), as_list("a, b,"), as_list(["c"])] == [[], ["a", "b"], ["c"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: Named\n---\n# Heading\n", "Named"),
        ("---\nx: 1\n---\n#\n## Heading ##\n", "Heading"),
        ("Under\n=====\n", "Under"),
        ("no heading", "notes.v1"),
        ("---\ntitle: '  '\n---\n# Heading\n", "Heading"),
        ("---\ntitle: [Two, words]\n---\n# Heading\n", "Two words"),
        ("---\ntitle: ' Named '\n---\n", "Named"),
        ("```\n# code\n```\n<!--\n# hidden\n-->\n", "notes.v1"),
        ("\r# Heading\r", "Heading"),
        ("---\ntitle: " + "a" * 300 + "\n---\n", "a" * 256),
        ("# " + "a" * 300, "a" * 254),
    ],
)
def test_title(text: str, expected: str) -> None:
    assert expected == title(text, "docs/notes.v1.md")


def test_a_name_without_ending_is_a_title() -> None:
    assert [title("", "README"), title("", "a/.notes")] == ["README", ".notes"]
