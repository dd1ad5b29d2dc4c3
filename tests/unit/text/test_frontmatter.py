"""Headers of files, read leniently, and titles."""

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
    ],
)
@pytest.mark.requirement("SPEC-TEXT-15")
def test_split(text: str, header: dict[str, object], body: str) -> None:
    found, start = split(text)
    assert header == found
    assert body == text[start:]


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
    ],
)
def test_title(text: str, expected: str) -> None:
    assert expected == title(text, "docs/notes.v1.md")


def test_a_name_without_ending_is_a_title() -> None:
    assert [title("", "README"), title("", "a/.notes")] == ["README", ".notes"]
