"""Digests are SHA-256, whichever implementation makes them."""

from __future__ import annotations

import builtins
import hashlib
import sys
from typing import TYPE_CHECKING

import pytest

from holdfact.core.digest import path_key, sha256_hex

if TYPE_CHECKING:
    from types import ModuleType


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 200_000])
def test_the_digest_of_any_size(size: int) -> None:
    data = bytes(range(251)) * (size // 251 + 1)
    assert hashlib.sha256(data[:size]).hexdigest() == sha256_hex(data[:size])


@pytest.mark.parametrize("missing", [{"_sha2"}, {"_sha2", "_sha256"}, set()])
def test_every_interpreter_s_implementation_agrees(
    monkeypatch: pytest.MonkeyPatch, missing: set[str]
) -> None:
    real = builtins.__import__
    asked: list[str] = []

    def without(name: str, *rest: object) -> ModuleType:
        asked.append(name)
        if name in missing:
            raise ImportError(name)
        if name in {"_sha2", "_sha256"}:
            return hashlib
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.delitem(sys.modules, "hashlib")  # where it is loaded, it is used
    monkeypatch.setattr(builtins, "__import__", without)
    assert sha256_hex(b"abc").startswith("ba7816bf8f01cfea")
    order = ["_sha2", "_sha256", "hashlib"]
    assert order[: len(missing) + 1] == [name for name in asked if name in order]


def test_a_path_s_key_is_sixteen_digits_for_any_name() -> None:
    assert path_key("/a") == hashlib.sha256(b"/a").hexdigest()[:16]
    assert path_key("/\udcff") == hashlib.sha256(b"/\xff").hexdigest()[:16]
