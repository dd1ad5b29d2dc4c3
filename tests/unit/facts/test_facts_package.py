"""The package re-exports its public names, lazily."""

from __future__ import annotations

import subprocess
import sys

import pytest

import holdfact.facts as package


@pytest.mark.requirement("SPEC-FACT-7")
def test_every_public_name_is_there() -> None:
    assert sorted(package.__all__, key=lambda name: (not name.isupper(), name)) == package.__all__
    missing = [name for name in package.__all__ if not hasattr(package, name)]
    assert [] == missing
    assert set(package.__all__) <= set(dir(package))


def test_the_constants_are_the_documents() -> None:
    numbers = (
        package.MAX_FACT_SIZE,
        package.MAX_DESCRIPTION_BYTES,
        package.SNIPPET_BYTES,
        package.DEFAULT_SEARCH_LIMIT,
        package.MAX_SEARCH_LIMIT,
    )
    assert (16_384, 180, 240, 10, 25) == numbers


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_like_it"):
        package.nothing_like_it  # noqa: B018 - the access is the test


@pytest.mark.requirement("SPEC-FACT-7")
def test_importing_the_package_loads_no_module_of_it() -> None:
    program = (
        "import sys, holdfact.facts; "
        "print([name for name in sys.modules if name.startswith('holdfact.facts.')], "
        "'typing' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert "[] False" == done.stdout.strip()
