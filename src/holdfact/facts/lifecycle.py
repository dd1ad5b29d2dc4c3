"""Lifecycles: what a fact declares about its own expiry. It is read, never inferred."""

from __future__ import annotations

from holdfact.core.choice import Enum

__all__ = ["Lifecycle", "declared"]


class Lifecycle(Enum):
    """A fact's declared expiry contract."""

    LEGACY = "legacy"  # declares nothing; readable, and a write must upgrade it
    DURABLE = "durable"  # an explicit `durable: true`
    CONDITIONAL = "conditional"  # a checkable `invalidate_when`


def declared(*, is_durable: bool, invalidate_when: str) -> Lifecycle:
    """The lifecycle that a header declares; a condition wins over `durable: true`."""
    if invalidate_when:
        return Lifecycle.CONDITIONAL
    return Lifecycle.DURABLE if is_durable else Lifecycle.LEGACY
