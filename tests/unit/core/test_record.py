"""The light value types behave as those of `typing`."""

from __future__ import annotations

import pickle
import runpy
import sys
import typing

import pytest

from holdfact.core import record


class Light(record.NamedTuple):
    """One."""

    a: int
    b: str = "x"
    c: tuple[int, ...] = ()

    @property
    def double(self) -> int:
        """A method of its own."""
        return self.a * 2


class Real(typing.NamedTuple):
    """The same."""

    a: int
    b: str = "x"
    c: tuple[int, ...] = ()


CALLS: list[tuple[tuple[object, ...], dict[str, object]]] = [
    ((1,), {}),
    ((1, "y", (2,)), {}),
    ((), {"a": 1, "c": (3,)}),
    ((1,), {"b": "z"}),
    ((), {}),
    ((1, 2, 3, 4), {}),
    ((1,), {"a": 2}),
    ((1,), {"nonsense": 2}),
]


@pytest.mark.parametrize(("values", "named"), CALLS)
def test_it_is_made_like_the_real_one(values: tuple[object, ...], named: dict[str, object]) -> None:
    try:
        expected: tuple[object, ...] | None = tuple(Real(*values, **named))  # type: ignore[arg-type]
    except TypeError:
        expected = None
    if expected is None:
        with pytest.raises(TypeError):
            Light(*values, **named)  # type: ignore[arg-type]
    else:
        assert expected == Light(*values, **named)  # type: ignore[arg-type]


def test_it_is_used_like_the_real_one() -> None:
    light, real = Light(1, c=(2,)), Real(1, c=(2,))
    assert tuple(real) == light
    assert (real._fields, real._field_defaults, real._asdict()) == (
        light._fields,
        light._field_defaults,
        light._asdict(),
    )
    assert repr(real).replace("Real", "Light") == repr(light)
    assert (2, 1, "x", (2,)) == (light.double, light.a, light.b, light.c)
    assert Light(5) == light._replace(a=5, c=())
    assert Light(1, "y", ()) == Light._make([1, "y", ()])
    assert light == pickle.loads(pickle.dumps(light))  # noqa: S301 - made here
    assert isinstance(light, tuple)
    assert hash(real) == hash(light)
    match light:
        case Light(a, b):
            assert (1, "x") == (a, b)


def test_it_refuses_what_the_real_one_refuses() -> None:
    with pytest.raises((TypeError, ValueError)):
        Light(1)._replace(nonsense=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Light._make([1])
    with pytest.raises(AttributeError):
        Light(1).a = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Light(1).nonsense = 2  # type: ignore[attr-defined]


def test_a_class_without_fields_of_its_own_has_those_of_its_parent() -> None:
    class Child(Light):
        """Nothing new."""

    assert (1, "x", ()) == Child(1)


def test_where_annotations_are_not_in_the_class_s_body_it_is_that_of_typing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 14))
    assert runpy.run_path(record.__file__)["NamedTuple"] is typing.NamedTuple
