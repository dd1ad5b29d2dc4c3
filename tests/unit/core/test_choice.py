"""The light choices behave as the standard library's."""

from __future__ import annotations

import copy
import enum
import json
import pickle

import pytest

from holdfact.core import choice


class Light(choice.Enum):
    """One."""

    UP = "up"
    DOWN = "down"


class Real(enum.Enum):
    """The same."""

    UP = "up"
    DOWN = "down"


class LightText(choice.StrEnum):
    """One that is text."""

    UP = "up"
    DOWN = "down"


class RealText(enum.StrEnum):
    """The same."""

    UP = "up"
    DOWN = "down"


PAIRS = [(Light, Real), (LightText, RealText)]
Kind = type[enum.Enum]


@pytest.mark.parametrize(("light", "real"), PAIRS)
def test_members_are_named_ordered_and_found_by_value(light: Kind, real: Kind) -> None:
    assert [(one.name, one.value) for one in real] == [(one.name, one.value) for one in light]
    assert len(real) == len(light)
    assert [light("up"), light("down")] == list(light)
    assert light("up") is light.UP  # type: ignore[attr-defined]
    assert light(light("up")) is light("up")


@pytest.mark.parametrize(("light", "real"), PAIRS)
def test_members_show_as_the_real_ones(light: Kind, real: Kind) -> None:
    for one, other in zip(real, light, strict=True):
        name = light.__name__
        assert repr(one).replace(real.__name__, name) == repr(other)
        assert str(one).replace(real.__name__, name) == str(other)
        assert f"{one}".replace(real.__name__, name) == f"{other}"


@pytest.mark.parametrize("light", [Light, LightText])
def test_a_copy_is_the_member_itself(light: Kind) -> None:
    for one in light:
        assert copy.deepcopy(one) is one
        assert pickle.loads(pickle.dumps(one)) is one  # noqa: S301 - our own bytes
        assert {one: 1}[light(one.value)] == 1


@pytest.mark.parametrize(("light", "real"), PAIRS)
@pytest.mark.parametrize("value", ["left", "", 3, None])
def test_another_value_is_refused_in_the_same_words(light: Kind, real: Kind, value: object) -> None:
    with pytest.raises(ValueError) as expected:  # noqa: PT011 - the words are compared
        real(value)
    with pytest.raises(ValueError) as found:  # noqa: PT011 - as above
        light(value)
    assert str(expected.value).replace(real.__name__, light.__name__) == str(found.value)


def test_a_member_of_another_class_is_none_of_ours() -> None:
    with pytest.raises(ValueError, match="is not a valid Light"):
        Light(Real.UP)
    ours: list[object] = list(Light)
    assert Real.UP not in ours


def test_members_are_fixed() -> None:
    with pytest.raises(AttributeError, match="the members of Light are fixed: UP"):
        Light.UP = "x"  # type: ignore[misc]


def test_text_choices_are_their_values() -> None:
    texts: list[str] = list(LightText)
    assert texts == ["up", "down"]
    assert json.dumps({"way": LightText.UP}) == '{"way": "up"}'
    assert "up" in frozenset(LightText)
