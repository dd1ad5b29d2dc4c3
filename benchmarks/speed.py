"""`make bench`: what the daily commands cost, each beside its floor, measured in the same run.

    python -m benchmarks.speed [CORPUS.tar.xz | FOLDER] [--floor SCRIPT] [--runs N]

Whole processes of the installed program, on an unpacked corpus. The floors are a bare interpreter
and the least program that indexes with SQLite's FTS5 (`floor_fts5.py`). All take turns, so that
other load meets all alike; each figure is a median. CPU is user and system time of a process and
its children; peak is the largest process's memory. The table is Markdown, on standard output.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

HERE = Path(__file__).parent
CORPUS = HERE / "corpora" / "docs-2000.tar.xz"
PROGRAM = str(Path(sys.executable).with_name("holdfact"))
QUERY = "configure pod security admission for namespaces"
FACT = ("remember", "kep-owner", "--scope", "project", "--durable", "--description", "SIG Node")
UNPACK = "import sys, pathlib, demo.corpus; demo.corpus.unpack(*map(pathlib.Path, sys.argv[1:]))"
# As many facts as a busy project has; the daily commands are measured with one and with these.
MANY = 200
REMEMBER_MANY = f"""
import sys
import holdfact
memory = holdfact.Memory.open(sys.argv[1])
scopes = (holdfact.Scope.PROJECT, holdfact.Scope.GLOBAL)
for number in range(1, {MANY}):
    memory.remember(holdfact.Fact(
        f"port-{{number}}", f"Service {{number}} listens on port {{3000 + number}}",
        scopes[number % 2],
        body="It is started by make, and needs the tunnel.\\n" * 20,
        lifecycle=holdfact.Lifecycle.DURABLE,
    ))
"""
MB = 1e6
# A file that was written less than this before it is read is read once more (core.limits.RACY_NS).
SETTLED_S = 0.06


class Cost(NamedTuple):
    """What one process cost: seconds and kilobytes."""

    wall: float
    cpu: float
    peak_kb: int


Costs = dict[str, list[Cost]]


class Bench:
    """A copy of the corpus, and the programs on it."""

    def __init__(self, corpus: Path, folder: Path, floor: str, runs: int) -> None:
        self.root = folder / "docs"
        self.home = folder / "home"
        self.database = folder / "floor.db"
        self.floor_script = floor
        self.runs = runs
        # Compiled modules may be kept: a program that is used daily has them.
        self.environment = {
            **os.environ, "HOLDFACT_HOME": str(self.home), "PYTHONDONTWRITEBYTECODE": "",
        }  # fmt: skip
        if corpus.is_dir():
            shutil.copytree(corpus, self.root)
        else:
            # In a process of its own: a child's peak counts what its parent held when it began.
            self.run(sys.executable, "-c", UNPACK, str(self.root), str(corpus))
        self.sources = sorted(self.root.rglob("*.md"))
        self.text_bytes = sum(path.stat().st_size for path in self.sources)

    def run(self, *command: str) -> Cost:
        """Run a process that must succeed."""
        actions = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
        started = time.perf_counter()
        pid = os.posix_spawn(command[0], command, self.environment, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - started
        if status:
            raise SystemExit(f"{command} ended with {os.waitstatus_to_exitcode(status)}")
        scale = 1024 if sys.platform == "darwin" else 1
        return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // scale)

    def bare(self) -> Cost:
        """An interpreter that does nothing."""
        return self.run(sys.executable, "-c", "pass")

    def ours(self, *words: str) -> Cost:
        """The installed program."""
        return self.run(PROGRAM, "-C", str(self.root), *words)

    def floor(self, *words: str) -> Cost:
        """The floor on the same folder."""
        where = (str(self.root), str(self.database))
        return self.run(sys.executable, self.floor_script, *where, *words)

    def in_turns(self, programs: Mapping[str, Callable[[], Cost]]) -> Costs:
        """The costs of programs that take turns, after one round that warms up."""
        costs: Costs = {name: [] for name in programs}
        for number in range(-1, self.runs):
            for name, program in programs.items():
                cost = program()
                if number >= 0:
                    costs[name].append(cost)
        return costs

    def builds(self) -> Costs:
        """Full builds from nothing."""
        costs: Costs = {"build": [], "floor": []}
        for _ in range(max(3, self.runs // 5)):
            shutil.rmtree(self.home, ignore_errors=True)
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self.database}{suffix}").unlink(missing_ok=True)
            costs["floor"].append(self.floor("index"))
            costs["build"].append(self.ours("engine", "sync"))
        return costs

    def edits(self) -> Costs:
        """A refresh after one edit."""
        costs: Costs = {"engine sync, one edit": [], "floor": [], "bare": []}
        for number in range(self.runs):
            for name, program in (("engine sync, one edit", self.ours), ("floor", self.floor)):
                with self.sources[number * 7].open("a", encoding="utf-8") as file:
                    file.write(f"\nedited {number}\n")
                time.sleep(SETTLED_S)
                words = ("engine", "sync") if program == self.ours else ("index",)
                costs[name].append(program(*words))
            costs["bare"].append(self.bare())
        return costs


def median(costs: list[Cost], field: str) -> float:
    """The median of one field."""
    return float(statistics.median(getattr(cost, field) for cost in costs))


def row(name: str, costs: Costs) -> str:
    """A line of the table: a program beside the floor and the bare interpreter of its round."""
    own = {field: median(costs[name], field) for field in ("cpu", "wall")}
    cells = [name, f"{own['cpu'] * 1e3:.1f} ms", f"{own['wall'] * 1e3:.1f} ms"]
    cells.append(f"{median(costs[name], 'peak_kb') / 1e3:.0f} MB")
    for beside, field in (("bare", "cpu"), ("floor", "cpu"), ("floor", "wall")):
        if beside in costs:
            other = median(costs[beside], field)
            cells += [f"{own[field] / other:.2f} x {other * 1e3:.1f} ms"]
        else:
            cells += [""]
    return "| " + " | ".join(cells) + " |"


def report(bench: Bench) -> None:
    """Measure and print."""
    print(f"{os.uname().sysname} {os.uname().machine}, {os.cpu_count()} cores, ", end="")
    print(f"Python {sys.version.split()[0]}, load before {os.getloadavg()[0]:.1f}; ", end="")
    print(f"{len(bench.sources)} files, {bench.text_bytes / MB:.1f} MB of text\n")
    print("| command | CPU | wall | peak | CPU: x bare | CPU: x floor | wall: x floor |")
    print("|---|---|---|---|---|---|---|", flush=True)
    print(row("build", bench.builds()), flush=True)
    size = sum(path.stat().st_size for path in bench.home.rglob("index-*.db"))
    floor_size = bench.database.stat().st_size
    bench.ours(*FACT)
    costs = bench.in_turns({
        "bare": bench.bare,
        "floor": lambda: bench.floor("index"),
        "engine sync, no edit": lambda: bench.ours("engine", "sync"),
    })  # fmt: skip
    print(row("engine sync, no edit", costs), flush=True)
    print(row("engine sync, one edit", bench.edits()), flush=True)
    bench.ours("engine", "sync")
    costs = bench.in_turns({
        "bare": bench.bare,
        "floor": lambda: bench.floor("query", QUERY),
        "recall": lambda: bench.ours("recall", QUERY),
        "recall --json": lambda: bench.ours("recall", QUERY, "--json"),
    })  # fmt: skip
    print(row("recall", costs))
    print(row("recall --json", costs), flush=True)
    report_facts(bench, "1 fact")
    bench.run(sys.executable, "-c", REMEMBER_MANY, str(bench.root))
    report_facts(bench, f"{MANY} facts")
    print(f"\ndisk: {size / MB:.1f} MB = {size / bench.text_bytes:.2f} times the text ", end="")
    print(f"(floor {floor_size / MB:.1f} MB = {floor_size / bench.text_bytes:.2f} x); ", end="")
    print("the floor of recall searches without a refresh")
    print(f"load after: {os.getloadavg()[0]:.1f}")


def report_facts(bench: Bench, facts: str) -> None:
    """Measure and print the commands that read facts only."""
    costs = bench.in_turns({
        "bare": bench.bare,
        f"context, {facts}": lambda: bench.ours("context"),
        f"list, {facts}": lambda: bench.ours("list"),
    })  # fmt: skip
    print(row(f"context, {facts}", costs))
    print(row(f"list, {facts}", costs), flush=True)


def main() -> None:
    """Run the command line above."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", nargs="?", type=Path, default=CORPUS)
    parser.add_argument("--floor", default=str(HERE / "floor_fts5.py"))
    parser.add_argument("--runs", type=int, default=21)
    arguments = parser.parse_args()
    if not os.access(PROGRAM, os.X_OK):
        raise SystemExit(f"install holdfact beside {sys.executable} first (make bench does)")
    with tempfile.TemporaryDirectory(prefix="holdfact-bench-") as folder:
        place = Path(folder).resolve()
        report(Bench(arguments.corpus, place, arguments.floor, arguments.runs))


if __name__ == "__main__":
    main()
