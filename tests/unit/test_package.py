"""The package's face: its names, and that each can be had."""

from __future__ import annotations

import pytest

import holdfact


@pytest.mark.requirement("SPEC-CLI-15")
def test_every_public_name_is_there_and_documented() -> None:
    for name in holdfact.__all__:
        value = getattr(holdfact, name)
        assert name == "__version__" or value.__doc__, name


@pytest.mark.requirement("SPEC-CLI-15")
def test_the_public_names_are_sorted_and_few() -> None:
    assert sorted(holdfact.__all__) == holdfact.__all__
    assert 20 <= len(holdfact.__all__) <= 30
    assert set(holdfact.__all__) <= set(dir(holdfact))


def test_the_table_of_places_is_the_list_of_names() -> None:
    assert {*holdfact.__all__} - {"__version__"} == set(holdfact._PLACES)  # noqa: SLF001 - it must not drift


def test_the_facade_is_memory_and_a_single_fact_is_fact() -> None:
    from holdfact import facts
    from holdfact.api import Memory

    assert Memory is holdfact.Memory
    assert facts.Memory is holdfact.Fact


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = holdfact.nonsense
