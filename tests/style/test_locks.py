"""The locked dependencies: every version with hashes, no address, and what pyproject asks for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOCKS = ("build", "dev", "runtime")
PIN = re.compile(
    r"^([a-z0-9-]+)==([^ ;]+)(?: ; [^\\\n]+)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)",
    re.MULTILINE,
)


def text(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def pins(name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for pinned, version, _ in PIN.findall(text(name)):
        found.setdefault(pinned, set()).add(version)
    return found


def declared() -> list[Requirement]:
    """What pyproject asks for, by name: runtime, the regex extra and the groups."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [
        *table["project"]["dependencies"],
        *table["project"]["optional-dependencies"]["regex"],
        *(a for group in table["dependency-groups"].values() for a in group if isinstance(a, str)),
    ]
    return [Requirement(each) for each in asked]


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_pins_hashes_and_comments_only(name: str) -> None:
    rest = re.sub(r"(?m)^ *#.*\n", "", PIN.sub("", text(name)))
    assert rest.strip() == ""
    assert "://" not in text(name)
    assert pins(name) != {}


def test_the_lock_satisfies_what_is_declared() -> None:
    locked = pins("dev")
    missed = [
        str(asked)
        for asked in declared()
        if not any(asked.specifier.contains(v) for v in locked.get(asked.name.lower(), ()))
    ]
    assert missed == [], "run `make lock`"


@pytest.mark.parametrize("name", ["build", "runtime"])
def test_the_small_locks_are_parts_of_the_whole_one(name: str) -> None:
    assert {} == {k: v for k, v in pins(name).items() if not v <= pins("dev").get(k, set())}
