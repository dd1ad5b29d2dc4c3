"""Numbers of things in words."""

from __future__ import annotations

import pytest

from holdfact.core.words import counted


@pytest.mark.parametrize(("count", "expected"), [(0, "0 facts"), (1, "1 fact"), (2, "2 facts")])
def test_one_thing_has_no_s(count: int, expected: str) -> None:
    assert expected == counted(count, "fact")
