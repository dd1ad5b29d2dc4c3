"""What is new in old stores: the parts that need no store."""

from __future__ import annotations

from holdfact.facts.migrations import changes


def test_a_stamp_that_is_no_time_is_far_ahead() -> None:
    assert changes._nanoseconds("2020-01-01T00:00:00Z") == 1_577_836_800 * 10**9  # noqa: SLF001 - pure
    assert changes._nanoseconds("2020-13-01T00:00:00Z") > 10**18  # noqa: SLF001 - pure
