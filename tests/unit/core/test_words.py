"""Numbers of things in words."""

from __future__ import annotations

import pytest

from holdfact.core.words import counted, size_text


@pytest.mark.parametrize(("count", "expected"), [(0, "0 facts"), (1, "1 fact"), (2, "2 facts")])
def test_one_thing_has_no_s(count: int, expected: str) -> None:
    assert expected == counted(count, "fact")


@pytest.mark.parametrize(
    ("size_bytes", "expected"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (1_023, "1023 bytes"),
        (1_536, "1.5 KiB"),
        (12 << 20, "12.0 MiB"),
        (5_000 << 40, "5000.0 TiB"),
    ],
)
def test_a_size_has_its_unit(size_bytes: int, expected: str) -> None:
    assert expected == size_text(size_bytes)
