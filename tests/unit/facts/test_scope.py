"""Scopes and legacy types."""

from __future__ import annotations

import pytest

from holdfact.core.errors import ValueRefused
from holdfact.facts.scope import Scope, Type, parse_scope, scope_for_type, written_type

pytestmark = pytest.mark.requirement("FACT-20")


def test_parse_scope_knows_the_two_names() -> None:
    assert Scope.PROJECT is parse_scope("project")
    assert Scope.GLOBAL is parse_scope("global")


@pytest.mark.parametrize("text", ["", "Project", "team", " global", "..", "x" * 500])
def test_another_scope_is_refused_with_a_good_example(text: str) -> None:
    with pytest.raises(ValueRefused, match="project or global, as in project/ci-port") as refused:
        parse_scope(text)
    assert len(refused.value.message) < 200


@pytest.mark.parametrize(
    ("legacy_type", "scope"),
    [
        ("user", Scope.GLOBAL),
        ("feedback", Scope.GLOBAL),
        ("project", Scope.PROJECT),
        ("reference", Scope.PROJECT),
        ("bogus", Scope.PROJECT),
        ("", Scope.PROJECT),
    ],
)
def test_scope_for_type_routes(legacy_type: str, scope: Scope) -> None:
    assert scope is scope_for_type(legacy_type)


@pytest.mark.requirement("FACT-33")
@pytest.mark.parametrize(
    ("legacy_type", "scope", "written"),
    [
        ("reference", Scope.PROJECT, "reference"),
        ("feedback", Scope.GLOBAL, "feedback"),
        ("user", Scope.PROJECT, "project"),
        ("reference", Scope.GLOBAL, "user"),
        ("bogus", Scope.PROJECT, "project"),
        (None, Scope.GLOBAL, "user"),
        (Type.USER, Scope.GLOBAL, "user"),
    ],
)
def test_a_compatible_type_is_kept(legacy_type: str | None, scope: Scope, written: str) -> None:
    assert written == written_type(legacy_type, scope)
