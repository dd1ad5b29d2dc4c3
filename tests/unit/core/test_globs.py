"""What a pattern means."""

from __future__ import annotations

import pytest

from holdfact.core.globs import is_glob, literal, path_matcher, subtree_matcher

MATCHES = [
    ("**/*.md", "a.md .md x/a.md .x/.a.md x/y/ä.md", "a.mdx a.MD a.md/x a"),
    ("*.md", "a.md .md", "x/a.md a.mdx"),
    ("docs/*.md", "docs/a.md", "docs/x/a.md docs a.md xdocs/a.md"),
    ("docs/**", "docs/a docs/x/y.md", "docs xdocs/a"),
    ("docs/", "docs/a docs/x/y.md", "docs docsx/a"),
    ("docs/**/a.md", "docs/a.md docs/x/a.md docs/x/y/a.md", "docs/xa.md a.md docs/x/b.md"),
    ("**/x/**/y/**/z", "x/y/z a/x/b/y/c/z x/x/y/y/z", "x/z y/z x/y/az x/yy/z"),
    ("**", "a a/b", ""),
    ("**/**", "a a/b", ""),
    ("a/**/**/b", "a/b a/x/b", "ab a/xb"),
    ("**/a*b*c.txt", "abc.txt x/a1b2c.txt abcbc.txt", "acb.txt a/b/c.txt abc.txt.x"),
    ("a**b", "ab axb axxb", "a/b"),
    ("***", "a abc", "a/b"),
    ("?.md", "a.md ä.md", "/.md ab.md .md"),
    ("[ab].md", "a.md b.md", "c.md [ab].md"),
    ("[a-c]x[0-9]", "ax0 cx9", "dx0 ax"),
    ("[!a-c]", "d !", "a b /"),
    ("[c-a]", "", "a b c -"),
    ("[!c-a]", "a b -", "/"),
    ("[]a]", "] a", "b"),
    ("[!]a]", "b", "] a"),
    ("[a-]", "a -", "b"),
    ("[*]", "*", "a"),
    ("[^]", "^", "a"),
    ("[&&~|]", "& ~ |", "a"),
    ("[ab", "[ab", "a b"),
    ("a+(b).md", "a+(b).md", "aab.md"),
    ("**/*.tar.gz", "a.tar.gz x/.tar.gz", "a.gz"),
    ("**/*.[mt]d", "a.md x/a.td", "a.xd"),
]


@pytest.mark.parametrize(("pattern", "yes", "no"), MATCHES)
def test_what_a_pattern_matches(pattern: str, yes: str, no: str) -> None:
    matches = path_matcher([pattern])
    assert yes.split() == [path for path in yes.split() if matches(path)]
    assert [] == [path for path in no.split() if matches(path)]


def test_a_space_and_a_line_end_are_characters() -> None:
    assert path_matcher(["a?b/*"])("a\nb/c d\n")
    assert not path_matcher(["*.md"])("a.md\n")


def test_several_patterns_match_what_any_of_them_does() -> None:
    matches = path_matcher(["**/*.md", "docs/*.txt"])
    assert [True, True, False] == [matches(path) for path in ("x/a.md", "docs/a.txt", "a.txt")]
    assert not path_matcher([])("a.md")


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("drafts", "drafts drafts/a drafts/x/y", "xdrafts a/drafts draftsx"),
        ("drafts/", "drafts drafts/a", "a/drafts"),
        ("**/drafts", "drafts a/drafts a/drafts/b", "a/draftsx"),
        ("*.log", "a.log a.log/x", "x/a.log"),
        ("**/a/*/c*", "a/b/c a/b/cd/e x/a/b/c", "a/c"),
    ],
)
def test_an_exclusion_covers_what_is_below(pattern: str, yes: str, no: str) -> None:
    covers = subtree_matcher([pattern])
    assert yes.split() == [path for path in yes.split() if covers(path)]
    assert [] == [path for path in no.split() if covers(path)]
    assert not subtree_matcher([])("a")


@pytest.mark.parametrize("pattern", ["a", "**/*.md", "docs/", "ä b/[x]", "...", "x" * 1024])
def test_patterns(pattern: str) -> None:
    assert is_glob(pattern)


@pytest.mark.parametrize(
    "pattern", ["", "/", "/a", "a//b", "../a", "a/..", "./a", "a\\b", "a\0", "x" * 1025]
)
def test_no_patterns(pattern: str) -> None:
    assert not is_glob(pattern)


@pytest.mark.parametrize("pattern", ["*a" * 400 + "b", "**/*a/" * 150 + "b", "**/a" * 250 + "/b"])
def test_a_hostile_pattern_ends(pattern: str) -> None:
    path = "a" * 250 + "/" + "a/" * 1500
    assert not path_matcher([pattern])(path)
    assert not subtree_matcher([pattern])(path)


@pytest.mark.parametrize("path", ["a/b.md", "[f]*", "a?", "[", "]", "a]b[c", "**/x"])
def test_a_literal_pattern_matches_its_path_only(path: str) -> None:
    matches = path_matcher([literal(path)])
    assert matches(path)
    assert not matches(path + "x")
    assert not matches(path.replace("*", "y").replace("?", "y").replace("[", "y") + "y")
