"""Whatever text comes from outside, a confined path is inside."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.core.errors import ConfinementError
from holdfact.core.files import confine

if TYPE_CHECKING:
    from collections.abc import Iterator

pieces = st.one_of(
    st.sampled_from(["..", ".", "", "a", "out", "in", "loop", "\0", "~", "..."]),
    st.text(max_size=6),
    st.binary(max_size=4).map(os.fsdecode),
)
paths = st.lists(pieces, max_size=8).map("/".join)


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        base = os.path.realpath(folder)
        inside = os.path.join(base, "root")
        os.makedirs(os.path.join(inside, "a", "b"))
        os.symlink(base, os.path.join(inside, "out"))
        os.symlink("a", os.path.join(inside, "in"))
        os.symlink("loop", os.path.join(inside, "loop"))
        os.symlink("../../..", os.path.join(inside, "a", "out"))
        yield inside


@pytest.mark.requirement("SPEC-CORE-25")
@given(path=paths)
def test_the_answer_is_inside_or_refused(root: str, path: str) -> None:
    try:
        answer = confine(path, root)
    except ConfinementError:
        return
    assert answer == root or answer.startswith(root + "/")
    assert answer == os.path.realpath(answer)
    assert not os.path.isabs(path)


@pytest.mark.requirement("SPEC-CORE-25")
@given(st.lists(st.text("ab.-_ é", min_size=1, max_size=5), min_size=1, max_size=5))
def test_an_honest_path_is_never_refused(root: str, parts: list[str]) -> None:
    honest = [part for part in parts if part.strip(".")]
    if honest:
        assert confine("/".join(["new", *honest]), root) == "/".join([root, "new", *honest])
