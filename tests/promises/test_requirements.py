"""The manifest and the tests agree, both ways; and each of these checks can fail."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.requirements import PLANNED, Requirement, load, marked_ids, requirements

if TYPE_CHECKING:
    from pathlib import Path

HEADER = "id\tsource\ttext\n"


def unknown(entries: list[Requirement], marked: dict[str, list[str]]) -> dict[str, list[str]]:
    """Ids that tests name and the manifest does not have → those tests."""
    known = {entry.id for entry in entries}
    return {identifier: tests for identifier, tests in marked.items() if identifier not in known}


def unproved(entries: list[Requirement], marked: dict[str, list[str]]) -> list[str]:
    """Entries that are built and have no test."""
    return [f"{e.id} {e.text}" for e in entries if e.planned is None and e.id not in marked]


def stale(entries: list[Requirement], marked: dict[str, list[str]]) -> dict[str, list[str]]:
    """Entries that are planned although tests prove them → those tests."""
    return {e.id: marked[e.id] for e in entries if e.planned is not None and e.id in marked}


def test_a_test_names_only_known_promises() -> None:
    assert {} == unknown(requirements(), marked_ids())


def test_every_built_promise_has_a_test() -> None:
    missing = unproved(requirements(), marked_ids())
    assert missing == [], f"{len(missing)} promises have no test:\n" + "\n".join(missing)


def test_no_planned_promise_is_already_proved() -> None:
    assert {} == stale(requirements(), marked_ids()), "take these out of PLANNED"


def test_ids_are_unique_and_every_reason_is_used() -> None:
    ids = [entry.id for entry in requirements()]
    assert [] == [identifier for identifier, count in Counter(ids).items() if count > 1]
    unused = [key for key in PLANNED if not any(i.startswith(key) for i in ids)]
    assert unused == []


def test_the_three_source_documents_are_complete() -> None:
    counts = Counter(entry.id.split("-")[0] for entry in requirements())
    assert (48, 35, 39) == (counts["IDX"], counts["FACT"], counts["OPS"])


def test_each_check_can_fail() -> None:
    entries = load(HEADER + "FACT-01\tfacts\tbuilt\nOPS-01\tops\tlater\n", {"OPS-": "later"})
    assert {"NO-1": ["t.py:1"]} == unknown(entries, {"NO-1": ["t.py:1"]})
    assert ["FACT-01 built"] == unproved(entries, {})
    assert {"OPS-01": ["t.py:2"]} == stale(entries, {"OPS-01": ["t.py:2"]})


def test_the_longest_plan_counts_and_an_empty_one_takes_out() -> None:
    planned = {"OPS-": "operations", "OPS-01": "", "OPS-02": "vectors", "FACT-1": "not a group"}
    table = HEADER + "".join(f"{i}\ts\tt\n" for i in ("OPS-01", "OPS-02", "OPS-03", "FACT-11"))
    reasons = {entry.id: entry.planned for entry in load(table, planned)}
    assert {
        "OPS-01": None,
        "OPS-02": "vectors",
        "OPS-03": "operations",
        "FACT-11": None,
    } == reasons


@pytest.mark.parametrize("line", ["FACT-01\tfacts", "FACT-01\t\ttext", "fact 1\tfacts\ttext", ""])
def test_a_broken_line_of_the_table_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(ValueError, match="line 2"):
        load(f"{HEADER}{line}\n", {})


def test_markers_are_read_from_the_source(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        "import pytest\n@pytest.mark.requirement('A-1', 'A-2')\ndef test(): ...\n",
        encoding="utf-8",
    )
    assert {"A-1": ["test_a.py:2"], "A-2": ["test_a.py:2"]} == marked_ids(tmp_path)


@pytest.mark.parametrize("arguments", ["", "NAME", "'A-1', NAME", "id='A-1'"])
def test_a_marker_that_can_not_be_read_is_refused(tmp_path: Path, arguments: str) -> None:
    source = f"import pytest\n@pytest.mark.requirement({arguments})\ndef test(): ...\n"
    (tmp_path / "test_a.py").write_text(source, encoding="utf-8")
    with pytest.raises(ValueError, match=r"test_a\.py:2"):
        marked_ids(tmp_path)
