"""A secret can be used and can't be shown."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING

import pytest

from holdfact.core.secrets import Secret

if TYPE_CHECKING:
    from collections.abc import Callable

VALUE = "sk-canary-5f0e9c1b"


@pytest.mark.requirement("SPEC-CORE-15")
@pytest.mark.parametrize(
    "leak",
    [
        str,
        lambda secret: f"{secret}",
        lambda secret: "%s" % secret,  # noqa: UP031 - the old way must not leak either
        lambda secret: "{:>9}".format(secret),  # noqa: UP032, PLW0108 - the same
        json.dumps,
        pickle.dumps,
        copy.copy,
        copy.deepcopy,
        hash,
        vars,
        len,
        iter,
        bytes,
    ],
)
def test_every_way_to_show_it_is_refused(leak: Callable[[Secret], object]) -> None:
    with pytest.raises(TypeError) as caught:
        leak(Secret(VALUE))
    assert "canary" not in str(caught.value)


@pytest.mark.requirement("SPEC-CORE-15")
def test_its_repr_and_its_attributes_hold_no_value() -> None:
    secret = Secret(VALUE)
    assert repr(secret) == "Secret(<40)"
    assert "canary" not in repr([getattr(secret, name) for name in dir(secret)])


@pytest.mark.requirement("SPEC-CORE-15")
def test_use_gives_the_value_to_a_function() -> None:
    assert Secret(VALUE).use(lambda value: "Bearer " + value) == "Bearer " + VALUE


def test_equality_is_by_value() -> None:
    assert Secret("ä") == Secret("ä")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"


@pytest.mark.requirement("SPEC-CORE-15")
@pytest.mark.parametrize(
    ("length", "bucket"),
    [
        (0, "0"),
        (1, "<16"),
        (15, "<16"),
        (16, "<40"),
        (39, "<40"),
        (40, "<100"),
        (99, "<100"),
        (100, "<400"),
        (399, "<400"),
        (400, "more"),
    ],
)
def test_length_buckets(length: int, bucket: str) -> None:
    secret = Secret("x" * length)
    assert bucket == secret.length_bucket
    assert (length > 0) == secret.is_present
