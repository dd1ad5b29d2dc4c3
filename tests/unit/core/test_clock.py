"""The only clock."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from holdfact.core import clock

if TYPE_CHECKING:
    import pytest


def test_time_is_written_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    assert clock.iso(0) == "1970-01-01T00:00:00Z"
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.9)
    assert clock.iso() == "2027-01-15T08:00:00Z"
    assert clock.now() == 1_800_000_000.9


def test_today_is_the_local_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "XXX-23")
        time.tzset()
        assert clock.today() == "2027-01-16"
    time.tzset()


def test_waiting_and_the_monotonic_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    clock.sleep(3)
    assert waited == [3]
    assert clock.monotonic() <= clock.monotonic()
