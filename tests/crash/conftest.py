"""The fault layer, for every test in this folder."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

_HERE = Path(__file__).parent


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"crash_{name}", _HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def faults() -> ModuleType:
    """`faults.py`: failing calls, kill -9, a full disk, snapshots."""
    return _module("faults")


@pytest.fixture(scope="session")
def power() -> ModuleType:
    """`power.py`: what a disk may show after power was lost."""
    return _module("power")


@pytest.fixture(scope="session")
def sqlite_faults() -> ModuleType:
    """`sqlite_faults.py`: faults below SQLite."""
    return _module("sqlite_faults")
