"""JSON is written as the standard library writes it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.cli.json_text import to_json

_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.text(st.characters(max_codepoint=0x80)),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(
        st.lists(inner), st.tuples(inner, inner), st.dictionaries(st.text(), inner)
    ),
)


@given(_VALUES)
def test_is_written_as_the_standard_library_does(value: object) -> None:
    assert json.dumps(value, ensure_ascii=False) == to_json(value)


def test_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match="set has no form in JSON"):
        to_json({"a": {1}})
