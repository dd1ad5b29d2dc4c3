"""Speed, memory and disk beside the FTS5 floor, in one run on one machine.

    python benchmarks/speed.py [CORPUS.tar.xz | FOLDER] [--floor SCRIPT] [--runs N]

Each figure is the median of whole processes that take turns, so that other load meets all alike.
CPU is user and system time of a process and its children; memory is the largest process. The table
is Markdown, on standard output.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import statistics
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
CORPUS = HERE / "corpora" / "docs-2000.tar.xz"
QUERY = "configure pod security admission for namespaces"
MB = 1e6


class Cost(NamedTuple):
    """What one process cost: seconds and kilobytes."""

    wall: float
    cpu: float
    peak_kb: int


class Work(NamedTuple):
    """A row of the table: the same work by us and by the floor."""

    name: str
    ours: list[Cost]
    floor: list[Cost]


def run(*command: str) -> Cost:
    """Run a process to its end."""
    started = time.perf_counter()
    pid = os.posix_spawn(
        command[0], command, {**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )  # fmt: skip
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - started
    if status:
        raise SystemExit(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
    scale = 1024 if sys.platform == "darwin" else 1
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // scale)


class Bench:
    """A copy of the corpus, and both programs on it."""

    def __init__(self, corpus: Path, folder: Path, floor: str, runs: int) -> None:
        self.root = folder / "docs"
        self.state = folder / "state"
        self.database = folder / "floor.db"
        self.floor_script = floor
        self.runs = runs
        if corpus.is_dir():
            shutil.copytree(corpus, self.root)
        else:
            with tarfile.open(corpus) as archive:
                archive.extractall(self.root, filter="data")
        self.sources = sorted(self.root.rglob("*.md"))
        self.text_bytes = sum(path.stat().st_size for path in self.sources)

    def ours(self, *query: str) -> Cost:
        """Open, sync, ask."""
        script = str(HERE / "engine_process.py")
        return run(sys.executable, script, str(self.root), str(self.state), *query)

    def floor(self, *arguments: str) -> Cost:
        """The floor on the same folder."""
        where = (str(self.root), str(self.database))
        return run(sys.executable, self.floor_script, *where, *arguments)

    def builds(self) -> Work:
        """Full builds from nothing."""
        work = Work("build", [], [])
        for _ in range(max(3, self.runs // 3)):
            shutil.rmtree(self.state, ignore_errors=True)
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self.database}{suffix}").unlink(missing_ok=True)
            work.floor.append(self.floor("index"))
            work.ours.append(self.ours())
        return work

    def refreshes(self, *, edit: bool) -> Work:
        """A sync with nothing changed, or with one edited file."""
        work = Work("refresh, one edit" if edit else "refresh, no edit", [], [])
        for number in range(self.runs):
            for costs, program in ((work.ours, self.ours), (work.floor, self._refresh_floor)):
                if edit:
                    with self.sources[number * 7].open("a", encoding="utf-8") as file:
                        file.write(f"\nedited {number}\n")
                    time.sleep(0.06)
                costs.append(program())
        return work

    def _refresh_floor(self) -> Cost:
        return self.floor("index")

    def queries(self) -> Work:
        """A cold question, sync included; the floor only asks."""
        work = Work("cold query", [], [])
        for _ in range(self.runs):
            work.ours.append(self.ours(QUERY))
            work.floor.append(self.floor("query", QUERY))
        return work


def median(costs: list[Cost], field: str) -> float:
    """The median of one field."""
    return float(statistics.median(getattr(cost, field) for cost in costs))


def row(work: Work) -> str:
    """A line of the table."""
    cells = [work.name]
    for field, unit, scale in (("wall", "ms", 1e3), ("cpu", "ms", 1e3), ("peak_kb", "MB", 1e-3)):
        ours, floor = median(work.ours, field) * scale, median(work.floor, field) * scale
        cells += [f"{ours:.1f} {unit}", f"{floor:.1f} {unit}", f"{ours / floor:.2f}"]
    return "| " + " | ".join(cells) + " |"


def report(bench: Bench) -> None:
    """Measure and print."""
    load = os.getloadavg()
    print(f"{os.uname().sysname} {os.uname().machine}, {os.cpu_count()} cores, ", end="")
    print(f"Python {sys.version.split()[0]}, load before {load[0]:.1f}; ", end="")
    print(f"{len(bench.sources)} files, {bench.text_bytes / MB:.1f} MB of text\n")
    print("| work | wall | floor | ratio | CPU | floor | ratio | peak | floor | ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    print(row(bench.builds()))
    bench.ours()  # files that were written while the floor was built are read once more
    ours = sum(path.stat().st_size for path in (bench.state / "engine").iterdir())
    floor = bench.database.stat().st_size
    print(row(bench.refreshes(edit=False)))
    print(row(bench.refreshes(edit=True)))
    cold = bench.queries()
    print(row(cold))
    bare = [run(sys.executable, "-c", "pass") for _ in range(bench.runs)]
    cpu = median(bare, "cpu")
    print(f"\nbare `python -c pass`: {cpu * 1e3:.1f} ms of CPU; ", end="")
    print(f"a cold query is {median(cold.ours, 'cpu') / cpu:.1f} times that")
    print(f"disk: {ours / MB:.1f} MB = {ours / bench.text_bytes:.2f} x the text ", end="")
    print(f"(floor {floor / MB:.1f} MB = {floor / bench.text_bytes:.2f} x)")
    print(f"load after: {os.getloadavg()[0]:.1f}")


def main() -> None:
    """Run the command line above."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--floor", default=str(HERE / "floor_fts5.py"))
    parser.add_argument("--runs", type=int, default=11)
    arguments = parser.parse_args()
    if importlib.util.find_spec("holdfact") is None:
        raise SystemExit("install holdfact into this environment, or set PYTHONPATH=src")
    with tempfile.TemporaryDirectory() as folder:
        report(Bench(arguments.corpus, Path(folder), arguments.floor, arguments.runs))


if __name__ == "__main__":
    main()
