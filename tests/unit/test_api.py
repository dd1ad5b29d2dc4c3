"""The library's face: what the command line can do, it can do."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfact
from holdfact.core.errors import UsageError
from holdfact.facts import Lifecycle, Scope


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"HOLDFACT_HOME": str(tmp_path / "home"), "HOME": str(tmp_path)}


@pytest.fixture
def memory(tmp_path: Path, environ: dict[str, str]) -> holdfact.Memory:
    project = tmp_path / "project"
    project.mkdir()
    return holdfact.Memory.open(str(project), environ=environ)


FACT = holdfact.Fact("ci-port", "CI uses port 3306", Scope.PROJECT, lifecycle=Lifecycle.DURABLE)


@pytest.mark.requirement("SPEC-CLI-15", "FACT-24")
def test_opening_creates_nothing(memory: holdfact.Memory, tmp_path: Path) -> None:
    assert [] == list(memory.notices)
    assert not (tmp_path / "home").exists()


@pytest.mark.requirement("SPEC-CLI-15")
def test_a_fact_from_writing_to_forgetting(memory: holdfact.Memory) -> None:
    written = memory.remember(FACT._replace(body="the port"))
    fact, sha256 = memory.read("ci-port")
    assert (written.sha256, "the port", written.path) == (sha256, fact.body, fact.path)
    assert [fact] == [one._replace(path=fact.path) for one in memory.list().memories]
    assert 1 == memory.search("PORT").total
    assert "project/ci-port" in memory.context().text
    assert ["project/ci-port"] == [hit.id for hit in memory.recall("port").hits]
    assert "CI uses port 3306" == memory.forget_plan("ci-port").description
    memory.forget("ci-port")
    assert 0 == memory.recall("port").total
    assert [] == memory.list().memories


def test_progress_is_told(memory: holdfact.Memory) -> None:
    Path(memory.root, "notes.md").write_text("a fox\n", encoding="utf-8")
    told: list[tuple[int, int]] = []
    report = memory.sync(progress=lambda done, total, _unit: told.append((done, total)))
    assert (1, (1, 1)) == (report.added, told[-1])
    assert 1 == memory.engine_status().documents
    assert (1, 0) == (memory.status().engine.documents, memory.status().facts)


@pytest.mark.parametrize(
    "wrong",
    [{"mode": "magic"}, {"scope": "moon"}, {"path": "../x"}, {"k": 0}, {"k": 1_001}],
)
def test_recall_refuses_what_is_out_of_range(
    memory: holdfact.Memory, wrong: dict[str, object]
) -> None:
    with pytest.raises(UsageError):
        memory.recall("fox", **wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        memory.recall(" ")


def test_a_memory_can_have_other_places(tmp_path: Path, environ: dict[str, str]) -> None:
    project = tmp_path / "project"
    project.mkdir()
    memory = holdfact.Memory.open(
        str(project), moa_home=str(tmp_path / "moa"), state=str(tmp_path / "state"), environ=environ
    )
    assert memory.remember(FACT).path.startswith(str(tmp_path / "moa"))
    memory.sync()
    assert (tmp_path / "state/instance.json").exists()
    assert not (tmp_path / "home").exists()


def test_a_memory_needs_a_project(environ: dict[str, str]) -> None:
    from holdfact.core.config import load

    with pytest.raises(UsageError):
        holdfact.Memory.open("/", environ=environ)
    with pytest.raises(UsageError, match="project"):
        holdfact.Memory(load(None, environ=environ), None, environ)


def test_the_process_environment_is_the_usual_one(
    tmp_path: Path, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFACT_HOME", environ["HOLDFACT_HOME"])
    (tmp_path / "p").mkdir()
    memory = holdfact.Memory.open(str(tmp_path / "p"))
    assert environ["HOLDFACT_HOME"] == memory.config.home.config


def test_review_and_its_deletions(memory: holdfact.Memory) -> None:
    ended = FACT._replace(
        lifecycle=Lifecycle.CONDITIONAL, invalidate_when="when 2001-01-01 has passed"
    )
    memory.remember(ended)
    verdicts = memory.review()
    assert ["expired"] == [one.verdict for one in verdicts]
    assert ("project/ci-port",) == memory.delete_expired(verdicts).deleted


def test_a_fact_that_is_listed_but_has_no_proper_name_can_be_recalled(
    memory: holdfact.Memory,
) -> None:
    folder = Path(memory.store.global_dir)
    folder.mkdir(parents=True)
    (folder / "Not a slug.md").write_text("---\ndescription: fox\n---\n\nfox\n", encoding="utf-8")
    (hit,) = memory.recall("fox").hits
    assert ("global/Not a slug", "") == (hit.id, hit.title)
