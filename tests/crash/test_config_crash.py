"""A change of the configuration, or of what is trusted, survives every fault as old or new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from holdfact.core import trust
from holdfact.core.config import load
from holdfact.core.config_edit import set_value
from holdfact.core.places import home_folder

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

OLD = b"# mine\n[recall]\nk = 3\n"


def prepare(folder: Path) -> None:
    (folder / "config.toml").write_bytes(OLD)
    (folder / "project").mkdir()


def change(folder: Path) -> None:
    set_value(load(None, environ={"HOLDFACT_HOME": str(folder)}), "recall.k", "5", project=False)


def files_old_or_new(seen: dict[str, bytes], old: dict[str, bytes], new: dict[str, bytes]) -> None:
    # The private state folder may be made before the change itself fails.
    kept, *wanted = ({**one, "state": b""} for one in (seen, old, new))
    assert kept in wanted


@pytest.mark.requirement("SPEC-CORE-20")
def test_a_failing_call(faults: ModuleType, tmp_path: Path) -> None:
    assert faults.fault_matrix(tmp_path / "set", prepare, change, check=files_old_or_new)


@pytest.mark.requirement("SPEC-CORE-21")
def test_power_loss(faults: ModuleType, power: ModuleType, tmp_path: Path) -> None:
    judged = power.power_loss(
        tmp_path, prepare, change, check=files_old_or_new, snapshot=faults.snapshot
    )
    assert judged > 1


@pytest.mark.requirement("SPEC-CORE-26")
def test_trust_is_whole_or_not_there(faults: ModuleType, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()

    def give(folder: Path) -> None:
        home = home_folder({"HOLDFACT_HOME": str(folder)})
        trust.trust(str(project), home, sha256=trust.describe(str(project), home).sha256)

    assert faults.fault_matrix(tmp_path / "runs", prepare, give, check=files_old_or_new)
