"""`make bench`: what the daily commands cost, each beside its floor, measured in the same run.

Floors: a bare interpreter for the commands, and for building the index the same files read and
put into one SQLite FTS5 table. CPU is user and system time of the whole process tree; of several
runs the quickest counts, since noise only adds.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from demo.corpus import unpack

PYTHON = sys.executable
PROGRAM = str(Path(PYTHON).with_name("holdfact"))
RUNS = 11
QUESTION = "why was green threading removed from the runtime"
REMEMBER = ("remember", "kep-owner", "--scope", "project", "--durable")
DESCRIPTION = ("--description", "SIG Node owns the sidecar container enhancement")
FTS5 = """
import pathlib, sqlite3, sys
store = sqlite3.connect(sys.argv[2])
store.execute("create virtual table documents using fts5(path, body, tokenize='porter')")
files = sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))
rows = ((str(path), path.read_text(encoding="utf-8")) for path in files)
store.executemany("insert into documents values (?, ?)", rows)
store.commit()
"""


class Cost(NamedTuple):
    """One process: seconds of CPU and of the clock on the wall."""

    cpu_s: float
    wall_s: float


def cost(arguments: list[str], environment: dict[str, str]) -> Cost:
    """Run a program that must succeed, and say what it cost."""
    began = time.perf_counter()
    process = subprocess.Popen(
        arguments,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - began)


def quickest(arguments: list[str], environment: dict[str, str], runs: int = RUNS) -> Cost:
    """The smallest CPU and wall time of several runs, after one that warms up."""
    if runs > 1:
        cost(arguments, environment)
    costs = [cost(arguments, environment) for _ in range(runs)]
    return Cost(min(c.cpu_s for c in costs), min(c.wall_s for c in costs))


def show(name: str, measured: Cost, floor: Cost) -> None:
    """One line of the table."""
    times = measured.cpu_s / floor.cpu_s
    print(
        f"{name:36} {measured.cpu_s * 1000:9.1f} {measured.wall_s * 1000:9.1f} {times:8.2f}",
        flush=True,
    )


def measure(folder: Path) -> None:
    """Everything, on the corpus of 2,000 documents."""
    project = folder / "project"
    count = unpack(project)
    environment = {**os.environ, "HOLDFACT_HOME": str(folder / "home")}
    holdfact = [PROGRAM, "-C", str(project)]
    bare = quickest([PYTHON, "-c", "pass"], environment)
    floor = cost([PYTHON, "-c", FTS5, str(project), str(folder / "fts5")], environment)
    cost([*holdfact, *REMEMBER, *DESCRIPTION], environment)
    print(f"{f'{count:,} documents':36} {'CPU ms':>9} {'wall ms':>9} {'x floor':>8}")
    show("floor of commands: python -c pass", bare, bare)
    show("floor of the build: SQLite FTS5", floor, floor)
    ask = [*holdfact, "recall", QUESTION]
    show("first recall, builds the index", cost(ask, environment), floor)
    show("recall, nothing changed", quickest(ask, environment), bare)
    changed = next(iter(sorted(project.rglob("*.md"))))
    changed.write_bytes(changed.read_bytes() + b"\nOne more line.\n")
    show("recall, one document changed", cost(ask, environment), bare)
    show("context", quickest([*holdfact, "context"], environment), bare)
    show("list", quickest([*holdfact, "list"], environment), bare)
    size = sum(f.stat().st_size for f in (folder / "home").rglob("*") if f.is_file())
    text = sum(f.stat().st_size for f in project.rglob("*.md"))
    fts5 = (folder / "fts5").stat().st_size
    print(f"bytes: documents {text:,}, holdfact {size:,}, SQLite FTS5 {fts5:,}")


def main() -> int:
    """Measure in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="holdfact-bench-") as temporary:
        measure(Path(temporary).resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
