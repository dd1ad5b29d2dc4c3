"""Lifecycles are declared, never inferred."""

from __future__ import annotations

import pytest

from holdfact.facts.lifecycle import Lifecycle, declared


@pytest.mark.requirement("FACT-16", "FACT-17", "FACT-18")
@pytest.mark.parametrize(
    ("is_durable", "condition", "expected"),
    [
        (False, "", Lifecycle.LEGACY),
        (True, "", Lifecycle.DURABLE),
        (False, "when x", Lifecycle.CONDITIONAL),
        (True, "when x", Lifecycle.CONDITIONAL),
        (False, "  ", Lifecycle.CONDITIONAL),
    ],
)
def test_declared(is_durable: bool, condition: str, expected: Lifecycle) -> None:  # noqa: FBT001 - a table's column
    assert expected is declared(is_durable=is_durable, invalidate_when=condition)
