"""The lock of a folder: nothing is created."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from holdfact.core.errors import FileUnwritable, LockTimeout
from holdfact.core.locks import folder_locked

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.requirement("SPEC-FACT-26")
def test_one_holder_at_a_time_and_no_lock_file(tmp_path: Path) -> None:
    with folder_locked(str(tmp_path), timeout_s=0):
        with (
            pytest.raises(LockTimeout, match="held by another process"),
            folder_locked(str(tmp_path), timeout_s=0),
        ):
            pytest.fail("two holders")
        assert [] == list(tmp_path.iterdir())
    with folder_locked(str(tmp_path), timeout_s=0):
        pass


def test_a_missing_folder_cannot_be_locked(tmp_path: Path) -> None:
    with (
        pytest.raises(FileUnwritable, match="can't lock"),
        folder_locked(str(tmp_path / "none"), timeout_s=0),
    ):
        pytest.fail("nothing was locked")
