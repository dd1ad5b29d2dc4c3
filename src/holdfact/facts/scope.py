"""Scopes: where a fact lives, and the legacy types that older programs route by."""

from __future__ import annotations

from holdfact.core.choice import Enum, StrEnum
from holdfact.core.errors import ValueRefused

__all__ = ["Scope", "Type", "parse_scope", "scope_for_type", "written_type"]


class Scope(Enum):
    """Where a fact lives: with one repository, or with the user everywhere."""

    PROJECT = "project"
    GLOBAL = "global"


class Type(StrEnum):
    """The legacy classification, kept so that older programs find the fact in the right scope."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


_GLOBAL_TYPES = {"user", "feedback"}
_DEFAULT_TYPES = {Scope.PROJECT: Type.PROJECT, Scope.GLOBAL: Type.USER}


def parse_scope(text: str) -> Scope:
    """The scope called `text`.

    Raises:
        ValueRefused: there is no such scope.
    """
    if text == "project":
        return Scope.PROJECT
    if text == "global":
        return Scope.GLOBAL
    raise ValueRefused(
        f"{text[:80]!r} is not a scope: use project or global, as in project/ci-port"
    )


def scope_for_type(legacy_type: str) -> Scope:
    """The scope that a legacy type routes to: user and feedback are global, all else project."""
    return Scope.GLOBAL if legacy_type in _GLOBAL_TYPES else Scope.PROJECT


def written_type(legacy_type: str | None, scope: Scope) -> str:
    """The type to write: `legacy_type` when it is known and routes to `scope`, else its default."""
    if legacy_type in set(Type) and scope_for_type(str(legacy_type)) is scope:
        return str(legacy_type)
    return _DEFAULT_TYPES[scope]
