"""The only clock: every reading of time and every wait goes through here, so tests can set it."""

from __future__ import annotations

import time

__all__ = ["iso", "monotonic", "now", "sleep", "today"]


def now() -> float:
    """Seconds since the epoch, UTC."""
    return time.time()


def monotonic() -> float:
    """Seconds on a clock that never goes back."""
    return time.monotonic()


def sleep(seconds: float) -> None:
    """Wait `seconds`."""
    time.sleep(seconds)


def iso(at_s: float | None = None) -> str:
    """`at_s` (now when left out) as `YYYY-MM-DDTHH:MM:SSZ`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now() if at_s is None else at_s))


def today() -> str:
    """The local calendar day as `YYYY-MM-DD`."""
    return time.strftime("%Y-%m-%d", time.localtime(now()))
