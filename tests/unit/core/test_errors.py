"""The error tree is complete, documented and unambiguous."""

from __future__ import annotations

from holdfact.core import errors


def test_every_class_is_in_the_drawing_and_exported() -> None:
    drawing = errors.__doc__ or ""
    names = [cls.__name__ for cls in errors.error_classes()]
    assert [] == [name for name in names if name not in drawing]
    assert sorted([*names, "error_classes"]) == sorted(errors.__all__)
    assert names[0] == "HoldfactError"


def test_every_class_has_a_meaning_and_a_code_of_its_own() -> None:
    classes = errors.error_classes()
    assert [] == [cls for cls in classes if not (cls.__doc__ or "").strip()]
    codes = [cls.code for cls in classes]
    assert sorted(set(codes)) == sorted(codes)
    assert [] == [code for code in codes if not code.replace("_", "").isalpha()]


def test_exit_codes_are_those_of_the_contract() -> None:
    known = {1, 2, 4, *range(10, 17), *range(20, 37), 40, 50, 51, 52, 130}
    assert {cls.exit_code for cls in errors.error_classes()} <= known


def test_a_hint_may_be_given_or_is_the_class_s() -> None:
    assert errors.FactNotFound("x").hint == "holdfact list"
    assert errors.FactNotFound("x", hint="y").hint == "y"
    assert errors.FactNotFound("x").message == str(errors.FactNotFound("x")) == "x"
