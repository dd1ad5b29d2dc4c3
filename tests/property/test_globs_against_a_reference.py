"""The compiled globs agree with the plainest possible matcher."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdfact.core.globs import path_matcher, subtree_matcher

segments = st.text("ab*?.", min_size=1, max_size=4).filter(lambda text: text not in {".", ".."})
patterns = st.lists(st.one_of(st.just("**"), segments), min_size=1, max_size=5).map("/".join)
paths = st.lists(st.text("ab.", min_size=1, max_size=4), min_size=1, max_size=5).map("/".join)


def one_segment(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    if pattern[0] == "*":
        return any(one_segment(pattern[1:], text[at:]) for at in range(len(text) + 1))
    return bool(text) and pattern[0] in {"?", text[0]} and one_segment(pattern[1:], text[1:])


def whole(pattern: list[str], path: list[str]) -> bool:
    if not pattern:
        return not path
    if pattern[0] == "**":
        if len(pattern) == 1:
            return bool(path)
        return any(whole(pattern[1:], path[at:]) for at in range(len(path) + 1))
    return bool(path) and one_segment(pattern[0], path[0]) and whole(pattern[1:], path[1:])


@given(patterns, paths)
def test_a_path_matches_as_the_reference_says(pattern: str, path: str) -> None:
    expected = whole(pattern.split("/"), path.split("/"))
    assert expected == path_matcher([pattern])(path)


@given(patterns, paths)
def test_an_exclusion_covers_every_path_below_a_match(pattern: str, path: str) -> None:
    parts = path.split("/")
    above = [parts[:count] for count in range(1, len(parts) + 1)]
    expected = any(whole(pattern.split("/"), part) for part in above)
    assert expected == subtree_matcher([pattern])(path)
