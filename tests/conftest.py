"""What all tests share: repeatable property tests, and the count of what is still planned."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import settings

from tests.requirements import requirements

if TYPE_CHECKING:
    import pytest

# The same examples in every run, and no verdict from a slow machine.
settings.register_profile("holdfact", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("holdfact")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many promises are built and how many wait for what."""
    entries = requirements()
    planned = Counter(entry.planned for entry in entries if entry.planned)
    waiting = ", ".join(f"{count} for {reason}" for reason, count in sorted(planned.items()))
    built = len(entries) - sum(planned.values())
    terminalreporter.write_line(f"requirements: {built} built, planned: {waiting or 'none'}")
