"""The library's face: what the command line can do, it can do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import holdfact
from holdfact.core.errors import CodebaseUnknown, NotAProject, UsageError
from holdfact.facts import Lifecycle, Scope

if TYPE_CHECKING:
    from collections.abc import Callable


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


def _changed(**fields: object) -> holdfact.Fact:
    return FACT._replace(**fields)  # type: ignore[arg-type]


@pytest.mark.requirement("SPEC-CLI-52")
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda memory: memory.recall(None), "the query is None, but must be text"),
        (lambda memory: memory.search(7), "the query is 7, but must be text"),
        (lambda memory: memory.search_documents(b"x"), "the query is b'x', but must be text"),
        (lambda memory: memory.recall("x", k="5"), "k is '5', but must be a number from 1"),
        (lambda memory: memory.recall("x", k=True), "k is True, but must be a number"),
        (lambda memory: memory.recall("x", path=1), "path is 1, but must be text"),
        (lambda memory: memory.read(None), "the id is None, but must be text"),
        (lambda memory: memory.forget(3), "the id is 3, but must be text"),
        (lambda memory: memory.forget_plan(["x"] * 99), "the id is .*…, but must be text"),
        (lambda memory: memory.remember(None), "what to remember is a NoneType, but must be a fac"),
        (lambda memory: memory.remember({"name": "x"}), "what to remember is a dict"),
        (lambda memory: memory.remember(_changed(name=None)), "name is None, but must be text"),
        (lambda memory: memory.remember(_changed(body=b"x")), "body is b'x', but must be text"),
        (lambda memory: memory.remember(_changed(description=1)), "description is 1, but must"),
    ],
)
def test_an_argument_of_another_type_is_refused_with_what_it_must_be(
    memory: holdfact.Memory, call: Callable[[holdfact.Memory], object], message: str
) -> None:
    with pytest.raises((UsageError, holdfact.ValueRefused), match=message) as refused:
        call(memory)
    assert refused.value.hint


@pytest.mark.requirement("SPEC-CLI-52")
@pytest.mark.parametrize(
    ("places", "message"),
    [
        ({"path": None}, "the path is None, but must be text"),
        ({"path": 1}, "the path is 1, but must be text"),
        ({"path": b"/tmp"}, "the path is b'/tmp', but must be text"),
        ({"path": "\0"}, r"the path is '\\x00', which no file can have"),
        ({"path": "\ud800"}, r"the path is '\\ud800', which no file can have"),
        ({"moa_home": 1}, "moa_home is 1, but must be text"),
        ({"state": b"/tmp"}, "state is b'/tmp', but must be text"),
    ],
)
def test_a_place_that_is_no_path_is_refused(
    environ: dict[str, str], places: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=message) as refused:
        holdfact.Memory.open(**places, environ=environ)  # type: ignore[arg-type]
    assert refused.value.hint


def test_a_path_object_is_a_path_too(tmp_path: Path, environ: dict[str, str]) -> None:
    (tmp_path / "project").mkdir()
    memory = holdfact.Memory.open(tmp_path / "project", environ=environ)  # type: ignore[arg-type]
    assert str((tmp_path / "project").resolve()) == memory.root


@pytest.mark.requirement("SPEC-FACT-33")
def test_a_memory_tells_that_git_did_not_answer_until_it_does(
    memory: holdfact.Memory,
) -> None:
    link = Path(memory.root, ".git")
    link.touch()
    assert [] == memory.notices, "git was not asked yet"
    with pytest.raises(CodebaseUnknown):
        memory.remember(FACT)
    told = f"git did not answer: project facts are those of this folder only ({memory.root})"
    assert [told] == memory.notices
    link.unlink()
    assert [] == memory.list().memories
    assert [] == memory.notices
    memory.remember(FACT)


@pytest.mark.requirement("SPEC-CLI-52")
def test_a_fact_shows_its_public_name(memory: holdfact.Memory) -> None:
    fact = FACT._replace(path="/x.md")
    assert repr(fact).startswith("Fact(name='ci-port', description='CI uses port 3306', scope=")
    memory.remember(FACT)
    assert repr(memory.read("ci-port")[0]).startswith("Fact(name='ci-port'")


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


@pytest.mark.requirement("SPEC-CLI-44")
def test_where_is_no_project_there_are_global_facts(environ: dict[str, str]) -> None:
    memory = holdfact.Memory.open("/", environ=environ)
    assert ["/ is the root of the file system, not a project: only global facts"] == memory.notices
    memory.remember(FACT._replace(scope=holdfact.Scope.GLOBAL))
    assert [f"global/{FACT.name}"] == [fact.id for fact in memory.list().memories]
    assert FACT.name == memory.read(FACT.name)[0].name
    assert f"- global/{FACT.name} — " in memory.context().text
    assert "project/NAME" not in memory.context().text
    assert 1 == memory.search(FACT.name).total
    assert [] == memory.migrate_once()


@pytest.mark.requirement("SPEC-CLI-44")
@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.recall("fox"),
        lambda memory: memory.sync(),
        lambda memory: memory.status(),
        lambda memory: memory.engine_status(),
        lambda memory: memory.review(),
        lambda memory: memory.migrate(),
        lambda memory: memory.migration_plan(),
        lambda memory: memory.remember(FACT),
        lambda memory: memory.read("project/x"),
    ],
)
def test_what_needs_a_project_says_so(
    environ: dict[str, str], call: Callable[[holdfact.Memory], object]
) -> None:
    with pytest.raises(NotAProject, match=r"not a project|no project") as caught:
        call(holdfact.Memory.open("/", environ=environ))
    assert "-C" in caught.value.hint


def test_a_memory_without_a_root_has_no_root(environ: dict[str, str]) -> None:
    from holdfact.core.config import load

    with pytest.raises(NotAProject):
        _ = holdfact.Memory(load(None, environ=environ), None, environ).root


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
