"""The store under faults: failing calls, lost power, killed processes, two writers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import holdfact
from holdfact.facts import Lifecycle, Memory, Scope, Store
from holdfact.facts.fact import parse

if TYPE_CHECKING:
    from types import ModuleType

    Snapshot = dict[str, bytes]

OLD = Memory("x", "old", Scope.GLOBAL, "old body\n" * 50, lifecycle=Lifecycle.DURABLE)
NEW = OLD._replace(description="new", body="new body\n" * 90)


def _store(folder: Path) -> Store:
    return Store(str(folder / "config"), str(folder))


def _empty(folder: Path) -> None:
    (folder / "config").mkdir()


def _with_old(folder: Path) -> None:
    _store(folder).write(OLD)
    _store(folder).write(OLD._replace(name="bystander"))


def _write(folder: Path) -> None:
    _store(folder).write(NEW)


def _delete(folder: Path) -> None:
    _store(folder).delete("global/x")


def _facts(state: Snapshot) -> Snapshot:
    """The facts of a state; a first write also makes folders, one after the other."""
    return {name: data for name, data in state.items() if name.endswith(".md")}


def _old_or_new(seen: Snapshot, old: Snapshot, new: Snapshot) -> None:
    assert _facts(seen) in (_facts(old), _facts(new)), seen


CASES = [
    pytest.param(_empty, "write(NEW)", id="first-write"),
    pytest.param(_with_old, "write(NEW)", id="overwrite"),
    pytest.param(_with_old, "delete('global/x')", id="delete"),
]
_OPERATIONS = {"write(NEW)": _write, "delete('global/x')": _delete}


@pytest.mark.requirement("FACT-35", "SPEC-FACT-29")
@pytest.mark.parametrize(("prepare", "change"), CASES)
def test_a_failing_call_leaves_old_or_new_and_is_a_typed_error(
    faults: ModuleType, tmp_path: Path, prepare: object, change: str
) -> None:
    tried = faults.fault_matrix(tmp_path, prepare, _OPERATIONS[change], check=_old_or_new)
    assert any(outcome.error is not None for outcome in tried)
    assert any(outcome.error is None for outcome in tried)


@pytest.mark.requirement("FACT-35", "SPEC-FACT-29")
@pytest.mark.parametrize(("prepare", "change"), CASES)
def test_power_loss_shows_old_or_new_and_what_was_reported_lasts(
    faults: ModuleType, power: ModuleType, tmp_path: Path, prepare: object, change: str
) -> None:
    judged = power.power_loss(
        tmp_path, prepare, _OPERATIONS[change], check=_old_or_new, snapshot=faults.snapshot
    )
    assert judged > 1


_SCRIPT = """
from holdfact.facts import Lifecycle, Memory, Scope, Store
NEW = Memory("x", "new", Scope.GLOBAL, "new body\\n" * 90, lifecycle=Lifecycle.DURABLE)
def operation(folder):
    Store(str(folder / "config"), str(folder)).{change}
"""


@pytest.mark.requirement("FACT-35", "SPEC-FACT-29")
@pytest.mark.parametrize(("prepare", "change"), CASES)
def test_a_killed_process_leaves_old_or_new_and_blocks_nobody(
    faults: ModuleType, tmp_path: Path, prepare: object, change: str
) -> None:
    killed = faults.kill_matrix(tmp_path, prepare, _SCRIPT.format(change=change), check=_old_or_new)
    assert len(killed) > 3
    for folder in killed:  # the kernel released the lock, and leftovers are no facts
        store = _store(folder)
        store.write(NEW)
        assert NEW.body.rstrip("\n") == store.read("x").body
        assert [] == store.problems()


_WRITER = """
import sys
from holdfact.facts import Lifecycle, Memory, Scope, Store
store = Store(sys.argv[1], sys.argv[1])
letter = sys.argv[2]
for number in range(500):
    body = letter * (1 + number % 50 * 100)
    store.write(Memory("x", letter, Scope.GLOBAL, body, lifecycle=Lifecycle.DURABLE))
"""


@pytest.mark.requirement("SPEC-FACT-26", "SPEC-FACT-30")
def test_two_processes_write_one_fact_1000_times_and_it_is_never_torn(
    tmp_path: Path,
) -> None:
    store = Store(str(tmp_path), str(tmp_path))
    store.write(Memory("x", "a", Scope.GLOBAL, "a", lifecycle=Lifecycle.DURABLE))
    path = Path(store.global_dir) / "x.md"
    environment = {"PYTHONPATH": str(Path(holdfact.__file__).parent.parent)}
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path), letter], env=environment)
        for letter in "ab"
    ]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        parsed = parse(path.read_bytes())
        letter = parsed.header["description"]
        assert {letter} == set(parsed.body), "letters of both writers in one fact"
        assert 1 == len(parsed.body) % 100
        seen.add((letter, len(parsed.body)))
    assert [0, 0] == [writer.wait() for writer in writers]
    assert {"a", "b"} == {letter for letter, _ in seen}
    assert ["x.md"] == [entry.name for entry in path.parent.iterdir()]


_COUNTER = """
import sys
from holdfact.core.errors import FactConflict
from holdfact.facts import Store
store = Store(sys.argv[1], sys.argv[1])
for _ in range(100):
    while True:
        memory, digest = store.read_with_digest("global/x")
        try:
            store.write(memory._replace(body=str(int(memory.body) + 1)), if_match=digest)
        except FactConflict:
            continue
        break
"""


@pytest.mark.requirement("SPEC-FACT-25")
def test_with_if_match_no_update_of_two_processes_is_lost(tmp_path: Path) -> None:
    store = Store(str(tmp_path), str(tmp_path))
    store.write(Memory("x", "a counter", Scope.GLOBAL, "0", lifecycle=Lifecycle.DURABLE))
    environment = {"PYTHONPATH": str(Path(holdfact.__file__).parent.parent)}
    command = [sys.executable, "-c", _COUNTER, str(tmp_path)]
    writers = [subprocess.Popen(command, env=environment) for _ in range(2)]
    assert [0, 0] == [writer.wait() for writer in writers]
    assert "200" == store.read("x").body
