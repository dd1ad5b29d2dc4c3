"""The coverage floors: exact, per package, and not satisfied by nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools import coverage_gate

FLOORS = {"holdfact": 95.0, "holdfact/core": 100.0}


def report(**covered_of_1000: int) -> dict[str, Any]:
    return {
        "files": {
            f"/env/site-packages/holdfact/{name}/x.py": {
                "summary": {
                    "num_statements": 900,
                    "num_branches": 100,
                    "covered_lines": min(covered, 900),
                    "covered_branches": max(covered - 900, 0),
                    "percent_covered": covered / 10,
                }
            }
            for name, covered in covered_of_1000.items()
        }
    }


@pytest.mark.parametrize(
    ("measured", "short"),
    [
        ({"core": 1000, "ops": 900}, []),
        ({"core": 1000, "ops": 899}, ["holdfact"]),
        ({"core": 999, "ops": 1000}, ["holdfact/core"]),
        ({"core": 900, "ops": 900}, ["holdfact", "holdfact/core"]),
        ({"ops": 1000}, ["holdfact/core"]),
        ({}, ["holdfact", "holdfact/core"]),
    ],
)
def test_floors(measured: dict[str, int], short: list[str]) -> None:
    assert short == [s.package for s in coverage_gate.shortfalls(report(**measured), FLOORS)]


def test_a_shortfall_names_the_files() -> None:
    [short] = coverage_gate.shortfalls(report(core=999), {"holdfact/core": 100.0})
    assert str(short).startswith("holdfact/core: 99.90 % of at least 100 % (/env/")


def test_the_projects_floors_are_the_promised_ones() -> None:
    text = (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    wanted = {"holdfact": 95, "holdfact/core": 100, "holdfact/text": 100, "holdfact/facts": 100}
    assert wanted == coverage_gate.floors(text)


def test_the_exit_code_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "coverage.json"
    path.write_text(json.dumps(report(core=1000, text=1000, facts=1000)), encoding="utf-8")
    assert coverage_gate.main([str(path)]) == 0
    path.write_text(json.dumps(report(core=1000, text=1000, facts=1)), encoding="utf-8")
    assert coverage_gate.main([str(path)]) == 1
    assert "holdfact/facts: 0.10 %" in capsys.readouterr().out
