"""Hold each package to its coverage floor: `python -m tools.coverage_gate coverage.json`.

The floors are `[tool.holdfact.coverage]` in pyproject.toml, in percent of statements and
branches together, exact: 99.99 is not 100.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Shortfall", "floors", "main", "shortfalls"]


class Shortfall(NamedTuple):
    """A package below its floor; `files` are those with something left uncovered."""

    package: str
    percent: float
    floor: float
    files: list[str]

    def __str__(self) -> str:
        """One line that names what to cover."""
        where = ", ".join(self.files) or "nothing of it was measured"
        return f"{self.package}: {self.percent:.2f} % of at least {self.floor:g} % ({where})"


def floors(pyproject: str) -> dict[str, float]:
    """Package folder → floor in percent."""
    table: dict[str, float] = tomllib.loads(pyproject)["tool"]["holdfact"]["coverage"]
    return table


def shortfalls(report: dict[str, Any], floor_of: dict[str, float]) -> list[Shortfall]:
    """The packages of a `coverage json` report that miss their floors.

    A package that was not measured at all misses: a floor on nothing would hold nothing.
    """
    found = []
    for package, floor in floor_of.items():
        files = {
            path: entry["summary"]
            for path, entry in report["files"].items()
            if f"{package}/" in path
        }
        total = sum(s["num_statements"] + s["num_branches"] for s in files.values())
        covered = sum(s["covered_lines"] + s["covered_branches"] for s in files.values())
        percent = 100 * covered / total if total else 0.0
        if percent < floor:
            open_files = [path for path, s in files.items() if s["percent_covered"] < 100]  # noqa: PLR2004 - percent
            found.append(Shortfall(package, percent, floor, open_files))
    return found


def main(arguments: list[str]) -> int:
    """Print each shortfall; the exit code says whether there is one."""
    report = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    root = Path(__file__).parent.parent
    found = shortfalls(report, floors((root / "pyproject.toml").read_text(encoding="utf-8")))
    for shortfall in found:
        print(f"coverage too low: {shortfall}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
