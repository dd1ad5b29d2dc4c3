"""Recall, status and the engine: answers in three forms, and exit codes."""

from __future__ import annotations

import os
import resource
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from holdfact.engine.generations import Generations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from tests.unit.cli.conftest import Program

DEPLOY = "# Deploying\n\nWe deploy on friday with the blue button.\n\n## Rollback\n\nPress undo.\n"


@pytest.mark.requirement("SPEC-CLI-28")
def test_recall_finds_facts_and_documents_with_no_configuration(program: Program) -> None:
    program.write("docs/deploy.md", DEPLOY)
    program.remember("deploy-key", "--body", "The deploy key is in the safe.")
    ran = program("recall", "deploy", "--json")
    answer = ran.json
    assert (0, "") == (ran.code, ran.stderr)
    assert {"project/deploy-key", "docs/deploy.md"} == {hit["id"] for hit in answer["hits"]}
    assert {"asked": "hybrid", "used": "lexical"} == answer["mode"]
    assert (None, "none", []) == (
        answer["degraded"],
        answer["index"]["identity"]["state"],
        answer["stale"],
    )
    by_kind = {hit["kind"]: hit for hit in answer["hits"]}
    assert "CI uses port 3306" == by_kind["fact"]["title"]
    assert ([1, 4], None) == (by_kind["document"]["lines"], by_kind["document"]["vector"])
    assert by_kind["document"]["lexical"]["score"] == by_kind["document"]["score"]


def test_recall_for_people_and_scripts(program: Program) -> None:
    program.write("docs/deploy.md", DEPLOY)
    first = program("recall", "friday")
    assert first.stdout.startswith("1. docs/deploy.md:1-4  Deploying · ")
    assert "built the search index" in first.stderr
    second = program("recall", "friday", "--plain")
    assert (second.stdout.split("\t")[:6], "") == (
        ["1", "document", "docs/deploy.md", "docs/deploy.md", "1", "4"],
        second.stderr,
    )
    program.write("docs/second.md", "# Friday\n\nAnother friday.\n")
    assert "1 of 2; -k shows more\n" in program("recall", "friday", "-k", "1").stdout


def test_a_hit_says_why_it_is_first_and_what_it_stands_for(program: Program) -> None:
    program.write("a.md", "friday friday friday\n")
    program.write("docs/plan.md", "# Other\n\nNothing that is asked for.\n")
    program.write("copy.md", "friday friday friday\n")
    first, second = program("recall", "friday docs/plan.md", "--json").json["hits"]
    assert ("docs/plan.md", True, 0) == (first["id"], first["exact"], first["duplicates"])
    assert ("a.md", False, 1) == (second["id"], second["exact"], second["duplicates"])
    assert first["score"] != second["score"]
    shown = program("recall", "friday docs/plan.md").stdout
    assert " text, exact\n" in shown
    assert " text, the same text in 1 more\n" in shown


def test_recall_says_when_git_could_not_be_asked(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.write("a.md", "friday\n")
    ran = program("recall", "friday", "--json")
    assert (True, "") == (ran.json["ignore_known"], ran.stderr)
    (program.project / ".git").mkdir()
    (program.project / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    monkeypatch.setenv("PATH", "")
    ran = program("recall", "friday")
    assert "git did not answer: files that it ignores are searched too" in ran.stderr
    assert program("recall", "friday", "--json").json["ignore_known"] is False


@pytest.mark.requirement("SPEC-CLI-29")
def test_recall_is_never_stale(program: Program) -> None:
    place = program.write("notes.md", "the red fox\n")
    assert 1 == program("recall", "fox", "--json").json["total"]
    place.write_text("the green crocodile\n", encoding="utf-8")
    assert 0 == program("recall", "fox", "--json").json["total"]
    assert 1 == program("recall", "crocodile", "--json").json["total"]
    place.unlink()
    assert 0 == program("recall", "crocodile", "--json").json["total"]


@pytest.mark.requirement("SPEC-CLI-30")
def test_nothing_found_and_could_not_search_differ(program: Program) -> None:
    found = program("recall", "zzz", "--json")
    assert (0, 0) == (found.code, found.json["total"])
    assert "nothing found\n" == program("recall", "zzz").stdout
    assert 4 == program("recall", "zzz", "--fail-empty").code
    failed = program("recall", "zzz", "--mode", "vector", "--json")
    assert (24, "mode_unavailable") == (failed.code, failed.json["error"]["code"])


@pytest.mark.requirement("SPEC-CLI-31")
def test_a_mode_that_was_asked_for_is_never_replaced_quietly(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    degraded = {"reason": "no_embedding_provider", "fix": "holdfact recall --mode lexical"}
    for words in (("--mode", "hybrid"), ("--mode", "vector", "--allow-degraded")):
        assert degraded == program("recall", "fox", *words, "--json").json["degraded"]
    assert "no embedding provider" in program("recall", "fox", "--mode", "hybrid").stderr
    assert None is program("recall", "fox", "--mode", "lexical", "--json").json["degraded"]
    environ = {"HOLDFACT_RECALL_MODE": "vector"}
    assert 24 == program("recall", "fox", environ=environ).code
    assert 0 == program("recall", "fox", "--mode", "lexical", environ=environ).code


def test_recall_can_be_narrowed(program: Program) -> None:
    program.write("docs/one.md", "a fox\n")
    program.write("other/two.md", "a fox and a goose\n")
    program.remember("fox", "--body", "a fox")
    program("remember", "fox", "--scope", "global", "--durable", "--description", "fox")

    def ids(*words: str) -> set[str]:
        return {hit["id"] for hit in program("recall", "fox", *words, "--json").json["hits"]}

    assert {"project/fox"} == ids("--scope", "project")
    assert {"global/fox"} == ids("--scope", "global")
    assert {"project/fox", "global/fox"} == ids("--scope", "facts")
    assert {"docs/one.md", "other/two.md"} == ids("--scope", "documents")
    assert {"docs/one.md"} == ids("--path", "docs/**")
    assert set() == ids("--path", "docs/**", "--scope", "facts")
    assert 2 == program("recall", "fox", "--path", "/etc/**").code
    assert 2 == program("recall", "fox", "--scope", "everything").code


def test_k_comes_from_the_option_or_the_configuration(program: Program) -> None:
    for number in range(12):
        program.write(f"{number}.md", f"fox number {number}\n")
    assert 8 == len(program("recall", "fox", "--json").json["hits"])
    assert 11 == len(program("recall", "fox", "-k", "11", "--json").json["hits"])
    environ = {"HOLDFACT_RECALL_K": "2"}
    assert 2 == len(program("recall", "fox", "--json", environ=environ).json["hits"])
    assert 2 == program("recall", "fox", "-k", "1001").code


@pytest.mark.requirement("SPEC-CLI-32")
def test_status_creates_nothing_and_tells_what_is_stale(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfact.engine.plan.RACY_NS", 0)  # a test writes faster than people
    monkeypatch.setattr("holdfact.engine.plan.RACY_COARSE_NS", 0)
    program.write("notes.md", "a fox\n")
    answer = program("status", "--json").json
    assert (None, ["notes.md"], 0) == (
        answer["engine"]["generation"],
        answer["engine"]["stale"],
        answer["facts"],
    )
    assert not program.home.exists()
    assert "not built yet; 1 source to index" in program("status").stdout
    assert "not built yet" in program("engine", "status").stdout
    program("recall", "fox")
    assert "up to date" in program("status").stdout
    program.write("more.md", "a goose\n")
    assert ["more.md"] == program("status", "--json").json["engine"]["stale"]
    assert "1 stale" in program("status").stdout
    assert "stale\t1\n" in program("status", "--plain").stdout
    assert "stale more.md" in program("engine", "status").stdout
    assert "stale\t1\n" in program("engine", "status", "--plain").stdout
    assert 1 == program("engine", "status", "--json").json["sources"]


def test_status_names_unreadable_facts_and_skipped_sources(program: Program) -> None:
    bad = program.home / "global/memory/bad.md"
    bad.parent.mkdir(parents=True)
    bad.write_text("no header", encoding="utf-8")
    (program.project / "binary.md").write_bytes(b"\0\1\2")
    program("engine", "sync")
    assert str(bad) in program("status").stdout
    assert "skipped binary.md" in program("engine", "status").stdout


def test_engine_sync_brings_the_index_up_to_date(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    (program.project / "binary.md").write_bytes(b"\0\1\2")
    first = program("engine", "sync")
    assert "1 added" in first.stdout or "2 added" in first.stdout
    assert "skipped binary.md" in first.stdout
    assert 0 == program("engine", "sync", "--json").json["added"]
    assert program("engine", "sync").stdout.startswith("up to date in ")
    assert "0\t0\t0\t1\n" == program("engine", "sync", "--plain").stdout


def test_who_built_the_index_is_told_as_it_was(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert program("recall", "fox").stderr.startswith(
        "holdfact: built the search index: nothing to index in "
    )
    assert program("engine", "sync", "--json").json["built"] is False
    program.write("notes.md", "a fox\n")
    place = index_file(program).parent
    shutil.rmtree(place)
    assert program("engine", "sync", "--json").json["built"] is True
    # Another process builds it between this one's look and its turn.
    hidden = place.rename(place.with_name("hidden"))
    real = Generations.lease

    def late(generations: Generations, timeout_s: float) -> AbstractContextManager[None]:
        hidden.rename(place)
        return real(generations, timeout_s)

    monkeypatch.setattr(Generations, "lease", late)
    ran = program("recall", "fox")
    assert ran.stderr.startswith("holdfact: another process built the search index: up to date in ")
    assert ran.stdout.startswith("1. notes.md:1")


def index_file(program: Program) -> Path:
    """The published index."""
    [path] = program.home.glob("state/*/engine/index-*.db")
    return path


@contextmanager
def read_only() -> Iterator[None]:
    """The state folder can't be written (root may write anywhere)."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "access", lambda *_: False)
        yield


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.requirement("SPEC-CLI-54")
@pytest.mark.parametrize(
    ("unwritable", "cause"), [(read_only, "readonly database"), (full_disk, "disk I/O error")]
)
def test_what_could_not_be_indexed_is_a_failed_sync_and_a_recall_with_the_cause(
    program: Program, unwritable: Callable[[], AbstractContextManager[None]], cause: str
) -> None:
    program.write("notes.md", "a fox\n")
    assert None is program("recall", "fox", "--json").json["sync_error"]
    with unwritable():
        assert 0 == program("engine", "sync").code  # nothing has to be written
    program.write("more.md", "another fox\n")
    with unwritable():
        sync = program("engine", "sync", "--json")
        error = sync.json["error"]
        assert (20, "engine_unavailable") == (sync.code, error["code"])
        path = str(index_file(program))
        assert f"can't be brought up to date: can't write {path}: " in error["message"]
        assert cause in error["message"]
        assert "make the folder writable" in error["hint"]
        ran = program("recall", "fox")
        assert (0, True) == (ran.code, ran.stdout.startswith("1. notes.md:1"))
        note = "holdfact: 1 source changed since indexed: more.md; the search index is not up to"
        assert f"{note} date: can't write {path}: " in ran.stderr
        assert "make the folder writable" in ran.stderr
        answer = program("recall", "fox", "--json").json
        assert (["more.md"], "file_unwritable") == (answer["stale"], answer["sync_error"]["code"])
        assert path in answer["sync_error"]["message"]
        assert "" == program("recall", "fox", "-q").stderr
    ran = program("engine", "sync")
    assert (0, "") == (ran.code, ran.stderr)
    assert None is program("recall", "fox", "--json").json["sync_error"]


@pytest.mark.requirement("SPEC-CLI-54")
def test_an_index_for_other_settings_that_can_not_be_built_is_told(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    program("recall", "fox")
    environ = {"HOLDFACT_ENGINE_CHUNK_TOKENS": "300"}
    with full_disk():
        assert 20 == program("engine", "sync", environ=environ).code
        ran = program("recall", "fox", environ=environ)
    assert (0, True) == (ran.code, ran.stdout.startswith("1. notes.md:1"))
    assert ran.stderr.startswith("holdfact: the search index is not up to date: can't write ")


@pytest.mark.requirement("SPEC-CLI-53")
def test_status_tells_the_rest_and_what_is_wrong_with_a_damaged_index(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    program.remember()
    program("recall", "fox")
    whole = program("status", "--json").json
    assert whole["engine"]["error"] is None
    damaged = index_file(program)
    for data in (b"junk" * 2_000, b"", damaged.read_bytes()[:6_000]):
        damaged.write_bytes(data)
        ran = program("status", "--json")
        engine = ran.json.pop("engine")
        assert (0, "", "store_corrupt") == (ran.code, ran.stderr, engine["error"]["code"])
        assert str(damaged) in engine["error"]["message"]
        assert engine["error"]["hint"].startswith("holdfact engine sync")
        assert (None, 0) == (engine["generation"], engine["sources"])
        fact = program("read", "ci-port", "--json").json["path"]
        assert ["notes.md", fact] == engine["stale"]
        same = ("root", "facts", "problems", "identity", "provider")
        assert [whole[key] for key in same] == [ran.json[key] for key in same]
        assert len(data) <= ran.json["places"]["search_index"]["bytes"]
        human = program("status").stdout
        assert f"\nengine    {damaged} is damaged: " in human
        assert "\n          holdfact engine sync " in human
        assert human.index("facts     1") < human.index("engine    ") < human.index("state   ")
        assert "engine_error\tstore_corrupt\n" in program("status", "--plain").stdout
        assert 21 == program("engine", "status").code
        assert data == damaged.read_bytes()
    assert "engine_error\t\n" in program("status", "--state=../none", "--plain").stdout
    program("engine", "sync")
    assert program("status", "--json").json["engine"]["error"] is None


@pytest.mark.requirement("SPEC-CLI-53", "SPEC-ENG-11")
def test_status_tells_that_a_newer_holdfact_wrote_the_index(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    program("recall", "fox")
    connection = apsw.Connection(str(index_file(program)))
    connection.pragma("user_version", 99)
    connection.close()
    error = program("status", "--json").json["engine"]["error"]
    assert "store_newer" == error["code"]
    assert "upgrade holdfact" in program("status").stdout
    assert 22 == program("recall", "fox").code
    assert 22 == program("engine", "sync").code


@pytest.mark.requirement("SPEC-ENG-11")
@pytest.mark.parametrize("form", ["", "--json", "--plain"])
@pytest.mark.parametrize("verb", [("engine", "sync"), ("recall", "fox")])
def test_a_damaged_index_is_built_anew_and_that_is_told(
    program: Program, verb: tuple[str, ...], form: str
) -> None:
    program.write("notes.md", "a fox\n")
    program("recall", "fox")
    damaged = index_file(program)
    damaged.write_bytes(b"junk" * 2_000)
    ran = program(*verb, *form.split())
    assert (0, 1) == (ran.code, ran.stderr.count("\n"))
    assert f"holdfact: {damaged} is damaged: " in ran.stderr
    assert "; built it anew: 1 added in " in ran.stderr
    assert "index-2.db" == index_file(program).name
    again = program(*verb, *form.split())
    assert (0, "") == (again.code, again.stderr)
    index_file(program).write_bytes(b"")
    assert "is damaged" in program(*verb, "--json").stderr
    index_file(program).write_bytes(b"")
    assert "" == program(*verb, "-q").stderr


@pytest.mark.requirement("SPEC-ENG-11")
def test_damage_that_only_the_search_meets_is_mended_too(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    program("recall", "fox")
    connection = apsw.Connection(str(index_file(program)))
    connection.execute("UPDATE body SET text = x'00'")
    connection.close()
    ran = program("recall", "fox", "--json")
    assert (0, 1, 2) == (ran.code, ran.json["total"], ran.json["index"]["generation"])
    assert "truncated stream); built it anew: 1 added" in ran.stderr


def test_what_a_sync_mended_is_data(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    assert None is program("engine", "sync", "--json").json["damage"]
    index_file(program).write_bytes(b"")
    assert "holds no index" in program("engine", "sync", "--json").json["damage"]


def test_the_settings_that_changed_the_index_are_told(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    program("engine", "sync")
    ran = program("engine", "status", environ={"HOLDFACT_ENGINE_CHUNK_TOKENS": "300"})
    assert "the next sync builds it anew" in ran.stdout


def test_state_may_be_elsewhere_and_is_never_shared(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    assert 1 == program("recall", "fox", "--state", "../state", "--json").json["total"]
    assert not (program.home / "state").exists()
    other = program.project.parent / "other"
    other.mkdir()
    ran = program("-C", str(other), "recall", "fox", "--state", "../state", "--json")
    assert (40, "config") == (ran.code, ran.json["error"]["code"])


@pytest.mark.requirement("SPEC-CLI-46")
def test_status_tells_where_things_lie_and_their_sizes(program: Program) -> None:
    program.write("notes.md", "a fox\n")
    before = program("status", "--json").json["places"]
    assert [0, 0, 0, 0] == [place["bytes"] for place in before.values()]
    program.remember()
    program("recall", "fox")
    places = program("status", "--json").json["places"]
    fact = Path(program("read", "ci-port", "--json").json["path"])
    assert (str(fact.parent), fact.stat().st_size) == tuple(places["project_facts"].values())
    assert str(program.home / "global/memory") == places["global_facts"]["path"]
    assert f"{places['state']['path']}/engine" == places["search_index"]["path"]
    assert 0 < places["search_index"]["bytes"] < places["state"]["bytes"]
    human = program("status").stdout
    assert f"project {fact.parent} ({fact.stat().st_size} bytes)\n" in human
    elsewhere = program.home / "elsewhere"
    other = program("status", "--json", f"--state={elsewhere}").json["places"]["state"]
    assert (str(elsewhere), 0) == tuple(other.values())


def test_status_counts_nothing_for_a_file_that_goes_away_meanwhile(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.walk", lambda folder: [(folder, [], ["gone"])])
    places = program("status", "--json").json["places"]
    assert [0, 0, 0, 0] == [place["bytes"] for place in places.values()]


@pytest.mark.requirement("SPEC-CLI-48")
def test_a_hit_has_a_hash_that_changes_with_its_source(program: Program) -> None:
    document = program.project / "a.md"

    def source_hash(text: str) -> str:
        document.write_text(text, encoding="utf-8")
        return str(program("recall", "walrus", "--json").json["hits"][0]["source_hash"])

    first = source_hash("a walrus")
    assert first != source_hash("a walrus swims")
    assert first == source_hash("a walrus")
