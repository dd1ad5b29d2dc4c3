"""What a question may be, and what each narrowing leaves."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import holdfact
from holdfact.core.errors import ModeUnavailable, UsageError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any


@pytest.fixture
def memory(tmp_path: Path) -> holdfact.Memory:
    (tmp_path / "project" / "docs").mkdir(parents=True)
    (tmp_path / "project" / "docs" / "a.md").write_text("# A zebra", encoding="utf-8")
    environ = {"HOLDFACT_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}
    return holdfact.Memory.open(str(tmp_path / "project"), environ=environ)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"k": 0}, "k is 0, but must be a number from 1 to 1000"),
        ({"k": -1}, "k is -1, but must be a number from 1 to 1000"),
        ({"k": 1_001}, "k is 1001, but must be a number from 1 to 1000"),
        ({"mode": "fast"}, "'fast' is not a mode: use hybrid, lexical, vector"),
        ({"scope": "all"}, "'all' is not a scope: use project, global, facts, documents"),
        ({"path": "/etc/*"}, "'/etc/*' is not a glob of paths relative to the root"),
        ({"path": "../*"}, "'../*' is not a glob"),
        ({"path": ""}, "'' is not a glob"),
    ],
)
def test_a_question_out_of_range_is_refused_before_anything_is_built(
    memory: holdfact.Memory, tmp_path: Path, asked: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        memory.recall("zebra", **asked)
    assert message in caught.value.message
    assert ["project"] == os.listdir(tmp_path)


@pytest.mark.requirement("SPEC-CLI-31")
def test_a_mode_that_can_not_be_served_is_refused_before_anything_is_built(
    memory: holdfact.Memory, tmp_path: Path
) -> None:
    with pytest.raises(ModeUnavailable, match="no embedding provider"):
        memory.recall("zebra", mode="vector")
    assert ["project"] == os.listdir(tmp_path)


@pytest.mark.parametrize(
    ("scope", "path", "found"),
    [
        (None, None, ["docs/a.md", "global/zebra", "project/zebra"]),
        ("project", None, ["project/zebra"]),
        ("global", None, ["global/zebra"]),
        ("facts", None, ["global/zebra", "project/zebra"]),
        ("documents", None, ["docs/a.md"]),
        (None, "docs/*", ["docs/a.md"]),
        ("documents", "docs/*", ["docs/a.md"]),
        ("documents", "*.md", []),
        ("facts", "docs/*", []),
    ],
)
def test_each_narrowing_leaves_what_it_names(
    memory: holdfact.Memory, scope: str | None, path: str | None, found: list[str]
) -> None:
    for one in holdfact.Scope:
        memory.remember(holdfact.Fact("zebra", "a", one, lifecycle=holdfact.Lifecycle.DURABLE))
    answer = memory.recall("zebra", scope=scope, path=path)
    assert found == sorted(hit.id for hit in answer.hits)
    assert len(found) == answer.total


@pytest.mark.parametrize("k", [1, 2, 1_000])
def test_the_best_k_are_shown_and_all_are_counted(memory: holdfact.Memory, k: int) -> None:
    for name in ("b", "c"):
        with open(os.path.join(memory.root, f"{name}.md"), "w", encoding="utf-8") as file:
            file.write(f"zebra {name}\n")
    answer = memory.recall("zebra", k=k)
    assert (min(k, 3), 3) == (len(answer.hits), answer.total)
    assert list(range(1, min(k, 3) + 1)) == [hit.rank for hit in answer.hits]


@pytest.mark.requirement("SPEC-FACT-6")
def test_a_description_that_is_no_utf8_is_shown_as_text_that_any_output_carries(
    memory: holdfact.Memory, tmp_path: Path
) -> None:
    folder = tmp_path / "home" / "global" / "memory"
    folder.mkdir(parents=True)
    (folder / "fox.md").write_bytes(b"---\ndescription: caf\xe9\n---\n\nfox\n")
    (hit,) = memory.recall("fox").hits
    assert ("global/fox", "caf\ufffd") == (hit.id, hit.title)


def test_a_hit_names_the_file_also_after_the_folder_of_facts_was_moved(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    environ = {"HOLDFACT_HOME": str(tmp_path / "home")}

    def opened(name: str) -> holdfact.Memory:
        home = str(tmp_path / name)
        return holdfact.Memory.open(str(tmp_path / "project"), environ=environ, moa_home=home)

    fact = holdfact.Fact(
        "ci-port", "CI uses port 3306", holdfact.Scope.GLOBAL, lifecycle=holdfact.Lifecycle.DURABLE
    )
    opened("old").remember(fact)
    assert 1 == opened("old").recall("port").total
    (tmp_path / "old").rename(tmp_path / "new")
    moved = opened("new").recall("port")
    (hit,) = moved.hits
    assert ([], False) == (list(moved.stale), hit.changed_since_indexed)
    assert str(tmp_path / "new/global/memory/ci-port.md") == hit.path
