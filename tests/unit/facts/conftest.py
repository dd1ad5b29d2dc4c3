"""A store of facts in a temporary folder, outside of any repository."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from holdfact.facts import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from holdfact.facts import Scope


@pytest.fixture
def store(tmp_path: Path) -> Store:
    (tmp_path / "work").mkdir()
    return Store(str(tmp_path / "config"), str(tmp_path / "work"))


@pytest.fixture
def place(store: Store) -> Callable[[Scope, str, bytes], str]:
    """Put a file by hand into a scope's folder: `place(scope, file_name, data)` → its path."""

    def put(scope: Scope, file_name: str, data: bytes) -> str:
        folder = store.project_dir if scope.value == "project" else store.global_dir
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, file_name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    return put


def counted(monkeypatch: pytest.MonkeyPatch, *names: str) -> list[str]:
    """The calls of these functions of `os`, by name, from here on."""
    calls: list[str] = []

    def wrap(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: object, **kwargs: object) -> object:
            calls.append(name)
            return real(*args, **kwargs)

        return wrapped

    for name in names:
        monkeypatch.setattr(os, name, wrap(name, getattr(os, name)))
    return calls
