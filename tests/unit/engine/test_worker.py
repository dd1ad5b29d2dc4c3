"""The worker's own loop, in this process."""

from __future__ import annotations

import io
import marshal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.engine import bulk, worker
from holdfact.engine.identity import Parameters
from holdfact.engine.plan import Seen
from holdfact.engine.storage.pieces import decode

if TYPE_CHECKING:
    from tests.unit.engine.conftest import Project


def frame(value: object) -> bytes:
    data = marshal.dumps(value, 4)  # type: ignore[arg-type] # plain values
    return len(data).to_bytes(8, "little") + data


def parameters(project: Project) -> Parameters:
    return Parameters(str(project.root), ("**/*.md",), (), 400, 80, 10**6)


def test_answers_each_task_with_its_pieces(project: Project) -> None:
    project.write("a.md", "walrus\n")
    tasks = [[("a.md", "a.md", 7, 1, 1, 1)], [("gone.md", "gone.md", 7, 1, 1, 1)]]
    stream = io.BytesIO(frame((tuple(parameters(project)), 5)) + b"".join(map(frame, tasks)))
    answers = io.BytesIO()
    worker.serve(stream, answers)
    answers.seek(0)
    pieces = []
    while head := answers.read(8):
        blocks = marshal.loads(answers.read(int.from_bytes(head, "little")))  # noqa: S302 - ours
        pieces += [decode(data, crc) for data, crc in blocks]
    assert [len(piece.documents) for piece in pieces] == [1, 0]
    assert [stamp.key for stamp in pieces[1].skipped] == ["gone.md"]


@pytest.mark.parametrize("data", [b"", b"1234", (99).to_bytes(8, "little") + b"short"])
def test_ends_with_its_input(data: bytes) -> None:
    answers = io.BytesIO()
    worker.serve(io.BytesIO(data), answers)
    assert answers.getvalue() == b""


def test_main_serves_the_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    import gc
    import signal

    class Stream:
        buffer = io.BytesIO()

    monkeypatch.setattr("sys.stdin", Stream)
    monkeypatch.setattr("sys.stdout", Stream)
    before = signal.getsignal(signal.SIGINT)
    try:
        worker.main()
        assert not gc.isenabled()
    finally:
        gc.enable()
        signal.signal(signal.SIGINT, before)


def test_a_document_too_large_for_the_piece_starts_another(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from holdfact.engine.analysis import Analysis
    from holdfact.engine.reading import make_piece
    from holdfact.text.tokenizer import Analyzer

    monkeypatch.setattr("holdfact.engine.storage.pieces.CONTAINER_CHUNKS", 2)
    for name in ("a.md", "b.md", "c.md"):
        project.write(name, "walrus\n")
    seen = [Seen(name, name, 7, 1, 1, 1) for name in ("a.md", "b.md", "c.md")]
    analysis = Analysis(Analyzer(), 400, 80)
    pieces = make_piece(seen, analysis, parameters(project), 5)
    assert [len(piece.documents) for piece in pieces] == [2, 1]


def test_tasks_are_small_in_the_middle() -> None:
    seen = [Seen(str(n), str(n), 100, 1, 1, 1) for n in range(100)]
    tasks = bulk.tasks_of(seen)
    assert [one for task in tasks for one in task] == seen
    assert [17, 12, 8, 6, 4, 3, 3] == [len(task) for task in tasks][:7]
    assert [3, 3, 3, 5, 7, 10, 14] == [len(task) for task in tasks][-7:]
    assert bulk.tasks_of([]) == []


@given(st.lists(st.integers(0, 5_000_000), max_size=60))
def test_tasks_hold_each_source_once_and_in_order(sizes: list[int]) -> None:
    seen = [Seen(str(n), str(n), size, 1, 1, 1) for n, size in enumerate(sizes)]
    tasks = bulk.tasks_of(seen)
    assert [one for task in tasks for one in task] == seen
    assert all(tasks)
    # No task waits for more than its share: without its last or first source it is small.
    for task in tasks:
        inner = sum(one.size for one in task) - max(task[0].size, task[-1].size)
        assert inner < 3_000_000


def test_held_pieces_are_merged_when_they_are_many(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "PENDING_BYTES", 100)
    monkeypatch.setattr("holdfact.engine.ingest.BULK_DOCUMENTS", 2)
    for number in range(30):
        project.write(f"d{number}.md", f"walrus word{number}\n")
    assert len(project.ids("walrus", k=50)) == 30
