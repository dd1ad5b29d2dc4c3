"""Each verb: what it answers in its three forms, and with which exit code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from holdfact.core.errors import FactUnreadable
from holdfact.facts.migrations.report import MigrationReport, StoreEntry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Program, Ran

DEPLOY = "# Deploying\n\nWe deploy on friday with the blue button.\n\n## Rollback\n\nPress undo.\n"


@pytest.mark.requirement("SPEC-CLI-20", "FACT-15")
def test_remember_answers_the_id_the_path_the_digest_and_how_full_the_prompt_index_is(
    program: Program,
) -> None:
    described = ("--scope", "global", "--durable", "--description", "Prefers tabs")
    ran = program("remember", "tabs", *described, "--json")
    answer = ran.json
    assert (0, "") == (ran.code, ran.stderr)
    assert ("global/tabs", 1, 0) == (
        answer["id"],
        answer["index"]["facts"],
        answer["index"]["dropped"],
    )
    assert str(program.home / "global/memory/tabs.md") == answer["path"]
    assert answer["note"]


def test_remember_tells_people_the_id_on_stdout_and_the_note_on_stderr(program: Program) -> None:
    ran = program.remember()
    assert ran.stdout == "remembered project/ci-port\n"
    assert "prompt index" in ran.stderr
    assert "" == program.remember("ci-port", "-q").stderr


@pytest.mark.requirement("SPEC-CLI-21")
@pytest.mark.parametrize("value", ["--durable", "-x", "--", "a=b", "-", "--json"])
def test_description_with_an_equals_sign_takes_any_value(program: Program, value: str) -> None:
    ran = program(
        "remember", "odd", "--scope", "project", "--durable", f"--description={value}", "--json"
    )
    assert 0 == ran.code
    assert value == program("read", "odd", "--json").json["description"]


def test_a_value_that_looks_like_an_option_gets_a_hint(program: Program) -> None:
    ran = program("remember", "odd", "--scope", "project", "--durable", "--description", "-x")
    assert 2 == ran.code
    assert "--option=VALUE" in ran.stderr


def test_the_body_comes_from_an_option_a_file_or_standard_input(program: Program) -> None:
    program.remember("one", "--body", "- a list\n- of two")
    program.write("notes/body.txt", "from a file\n")
    program.remember("two", "--file", "notes/body.txt")
    described = ("--scope", "project", "--durable", "--description", "x")
    program("remember", "three", *described, "--file", "-", stdin=b"from stdin\n")
    bodies = [program("read", name, "--json").json["body"] for name in ("one", "two", "three")]
    assert bodies == ["- a list\n- of two", "from a file", "from stdin"]


@pytest.mark.parametrize(
    ("words", "stdin", "code"),
    [
        (("--file", ""), b"", 2),
        (("--file", "missing.txt"), b"", 50),
        (("--file", "-"), None, 2),
        (("--file", "-"), b"x" * 1_048_577, 2),
        (("--file", "-"), b"x" * 20_000, 12),
        (("--file", "-", "--body", "x"), b"", 2),
    ],
)
def test_a_body_that_cant_be_had_is_refused(
    program: Program, words: tuple[str, ...], stdin: bytes | None, code: int
) -> None:
    described = ("--scope", "project", "--durable", "--description", "x")
    assert code == program("remember", "x", *described, *words, stdin=stdin).code


@pytest.mark.parametrize(
    "words",
    [
        ("--scope", "project", "--description", "x"),
        ("--scope", "project", "--description", "x", "--durable", "--invalidate-when", "y"),
        ("--description", "x", "--durable"),
        ("--scope", "project", "--durable"),
    ],
)
def test_remember_needs_a_scope_a_description_and_one_lifecycle(
    program: Program, words: tuple[str, ...]
) -> None:
    assert 2 == program("remember", "x", *words).code


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Not_a_slug", ("--durable",)),
        ("x", ("--invalidate-when", "")),
        ("x", ("--invalidate-when", "a\nb")),
    ],
)
def test_a_refused_value_is_12(program: Program, name: str, words: tuple[str, ...]) -> None:
    ran = program("remember", name, "--scope", "project", "--description", "x", *words, "--json")
    assert (12, "value_refused") == (ran.code, ran.json["error"]["code"])


@pytest.mark.requirement("SPEC-CLI-22")
def test_if_match_refuses_a_fact_that_changed(program: Program) -> None:
    program.remember()
    digest = program("read", "ci-port", "--json").json["sha256"]
    program.remember("ci-port", "--body", "new", "--if-match", digest)
    ran = program(
        "remember",
        "ci-port",
        "--scope=project",
        "--durable",
        "--description=x",
        f"--if-match={digest}",
        "--json",
    )
    error = ran.json["error"]
    assert (13, "fact_conflict", True) == (ran.code, error["code"], error["retryable"])


def test_read_shows_a_fact_in_each_form(program: Program) -> None:
    program.remember("ci-port", "--body", "line one\nline two")
    human = program("read", "ci-port").stdout
    assert human.startswith("project/ci-port\nCI uses port 3306\ndurable · ")
    assert human.endswith("\n\nline one\nline two\n")
    plain = dict(
        line.split("\t") for line in program("read", "ci-port", "--plain").stdout.splitlines()
    )
    assert ("line one\\nline two", "") == (plain["body"], plain["invalidate_when"])
    answer = program("read", "project/ci-port", "--json").json
    assert ("project", None) == (answer["scope"], answer["invalidate_when"])


def test_read_shows_a_condition(program: Program) -> None:
    words = ("--scope", "global", "--description", "x", "--invalidate-when", "when it is done")
    program("remember", "x", *words)
    assert "conditional: when it is done" in program("read", "x").stdout
    assert "(when it is done)" in program("list").stdout


@pytest.mark.requirement("SPEC-CLI-23")
@pytest.mark.parametrize(
    ("fact_id", "code"),
    [("nothing", 10), ("both", 11), ("../x", 12), ("/etc/passwd", 12), ("bad", 15)],
)
def test_each_cause_of_not_reading_has_its_exit_code(
    program: Program, fact_id: str, code: int
) -> None:
    program.remember("both")
    program("remember", "both", "--scope", "global", "--durable", "--description", "x")
    (program.home / "global/memory/bad.md").write_text("no header", encoding="utf-8")
    ran = program("read", fact_id, "--json")
    assert (code, "") == (ran.code, ran.stderr)


def test_list_shows_facts_and_names_what_cant_be_read(program: Program) -> None:
    assert "no facts yet\n" == program("list").stdout
    assert 4 == program("list", "--fail-empty").code
    program.remember()
    bad = program.home / "global/memory/bad.md"
    bad.parent.mkdir(parents=True)
    bad.write_text("no header", encoding="utf-8")
    ran = program("list", "--fail-empty")
    assert (0, "project/ci-port  CI uses port 3306\n") == (ran.code, ran.stdout)
    assert str(bad) in ran.stderr
    answer = program("list", "--json").json
    assert [str(bad)] == [problem["path"] for problem in answer["problems"]]
    assert "project/ci-port\tdurable\tCI uses port 3306\t\t" in program("list", "--plain").stdout


@pytest.mark.requirement("SPEC-CLI-24")
def test_forget_without_yes_shows_the_plan_changes_nothing_and_exits_with_2(
    program: Program,
) -> None:
    program.remember()
    ran = program("forget", "ci-port")
    assert (2, "would delete project/ci-port: CI uses port 3306\n") == (ran.code, ran.stdout)
    assert ran.stderr.endswith("hint: add --yes\n")
    answer = program("forget", "ci-port", "--json").json
    assert (False, "confirmation_required") == (answer["applied"], answer["error"]["code"])
    assert program("forget", "ci-port", "--plain").stdout.startswith("delete\tproject/ci-port\t")
    assert 0 == program("read", "ci-port").code
    assert "deleted project/ci-port\n" == program("forget", "ci-port", "--yes").stdout
    assert 10 == program("read", "ci-port").code


def test_forget_deletes_what_cant_be_read_too(program: Program) -> None:
    bad = program.home / "global/memory/bad.md"
    bad.parent.mkdir(parents=True)
    bad.write_text("no header", encoding="utf-8")
    assert "unreadable: " in program("forget", "global/bad").stdout
    assert True is program("forget", "global/bad", "--yes", "--json").json["applied"]
    assert not bad.exists()


@pytest.mark.requirement("SPEC-CLI-25")
@pytest.mark.parametrize(("reply", "code"), [(b"y\n", 0), (b"n\n", 2), (b"", 2)])
def test_on_a_terminal_forget_asks(program: Program, reply: bytes, code: int) -> None:
    program.remember()
    ran = program("forget", "ci-port", stdin=reply, is_terminal=True)
    assert code == ran.code
    assert "Delete project/ci-port? [y/N] " in ran.stderr
    assert "would delete" in ran.stdout
    assert (10 if code == 0 else 0) == program("read", "ci-port").code


@pytest.mark.parametrize("word", ["--no-input", "--json", "--plain"])
def test_nothing_asks_with_no_input_or_for_a_program(program: Program, word: str) -> None:
    program.remember()
    ran = program("forget", "ci-port", word, stdin=b"y\n", is_terminal=True)
    assert 2 == ran.code
    assert "[y/N]" not in ran.stderr


def test_search_finds_a_text_in_facts(program: Program) -> None:
    program.remember("ci-port", "--body", "the body")
    program.remember("other")
    assert "project/ci-port  body\n  the body\n" == program("search", "THE BODY").stdout
    answer = program("search", "port", "--json", "--limit", "1").json
    assert (2, 1, 0) == (answer["total"], len(answer["hits"]), answer["offset"])
    assert "1 of 2; --offset" in program("search", "port", "--limit", "1").stdout
    assert "project/ci-port\tname\tci-port\n" in program("search", "port", "--plain").stdout
    assert "nothing found\n" == program("search", "zzz").stdout
    assert 4 == program("search", "zzz", "--fail-empty").code
    assert "the body" in program("search", "-", stdin=b"the body\n").stdout


def test_search_takes_patterns_and_refuses_bad_ones(program: Program) -> None:
    pytest.importorskip("re2")
    program.remember()
    assert 1 == program("search", "--regex", "CI|deploy", "--json").json["total"]
    ran = program("search", "--regex", "(", "--json")
    assert (2, "pattern_invalid") == (ran.code, ran.json["error"]["code"])


def test_a_query_has_a_length_limit(program: Program) -> None:
    ran = program("recall", "x" * 4_097)
    assert (2, "") == (ran.code, ran.stdout)
    assert "4096" in ran.stderr


@pytest.mark.requirement("SPEC-CLI-26")
def test_context_prints_the_block_and_nothing_without_facts(program: Program) -> None:
    assert (0, "", "") == tuple(program("context"))
    assert 4 == program("context", "--fail-empty").code
    program.remember()
    with_tool, without = program("context").stdout, program("context", "--no-tool").stdout
    assert with_tool.endswith("- project/ci-port — CI uses port 3306\n")
    assert with_tool != without
    answer = program("context", "--json").json
    assert (with_tool, 1, []) == (answer["text"], answer["facts"], answer["dropped_ids"])
    assert 0 < answer["used_bytes"] <= answer["budget_bytes"]


@pytest.mark.requirement("SPEC-CLI-27")
def test_facts_of_an_untrusted_repository_are_only_counted_in_the_prompt(
    program: Program,
) -> None:
    program.write("holdfact.toml", '[facts]\nproject_dir = ".holdfact/facts"\n')
    program.remember()
    program("remember", "mine", "--scope", "global", "--durable", "--description", "Mine")
    held = program("context").stdout
    assert "CI uses port" not in held
    assert "- global/mine — Mine\n" in held
    assert held.endswith(
        "- … (1 fact of this repository is held back until its user trusts it: holdfact config trust)\n"
    )
    assert 0 == program("config", "trust", "--yes").code
    assert "CI uses port" in program("context").stdout
    program.write("holdfact.toml", '[facts]\nproject_dir = ".holdfact/facts"\n# changed\n')
    program.remember("second")
    assert "2 facts of this repository are held back" in program("context").stdout


def test_review_tells_what_expired_and_deletes_it_with_yes(program: Program) -> None:
    assert "no fact has a condition\n" == program("review").stdout
    assert 4 == program("review", "--fail-empty").code
    described = ("--scope", "project", "--description", "x")
    program("remember", "old", *described, "--invalidate-when", "when 2001-01-01 has passed")
    program("remember", "open", *described, "--invalidate-when", "when the boss says so")
    verdicts = {one["id"]: one["verdict"] for one in program("review", "--json").json["facts"]}
    assert {"project/old": "expired", "project/open": "cannot tell"} == verdicts
    assert "expired  project/old: when 2001" in program("review").stdout
    assert "project/old\twhen 2001" in program("review", "--plain").stdout
    ran = program("review", "--delete-expired")
    assert 2 == ran.code
    assert "would delete project/old" in ran.stdout
    assert 2 == program("review", "--delete-expired", "--json").code
    done = program("review", "--delete-expired", "--yes", "--json").json
    assert ["project/old"] == done["deleted"]
    assert 0 == program("review", "--delete-expired", "--yes").code
    assert 10 == program("read", "old").code


def test_review_says_what_it_deleted_to_people_and_scripts(program: Program) -> None:
    described = ("--scope", "project", "--description", "x")
    for form, expected in (
        ("--no-input", "deleted project/old\n"),
        ("--plain", "deleted\tproject/old\t\n"),
    ):
        program("remember", "old", *described, "--invalidate-when", "when 2001-01-01 has passed")
        assert expected == program("review", "--delete-expired", "--yes", form).stdout


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
    assert "not built yet; 1 sources wait" in program("status").stdout
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
    assert "nothing changed" in program("engine", "sync").stdout
    assert "0\t0\t0\t1\n" == program("engine", "sync", "--plain").stdout


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


def test_moa_home_moves_the_facts(program: Program) -> None:
    program.remember("here", "--moa-home", "../moa")
    assert 10 == program("read", "here").code
    path = program("read", "here", "--moa-home", "../moa", "--json").json["path"]
    assert path.startswith(str(program.project.parent / "moa/codebases/"))


def test_ignored_settings_of_the_project_are_told_once_a_run(program: Program) -> None:
    program.write("holdfact.toml", '[facts]\nroot = "/elsewhere"\n')
    ran = program("list")
    assert "facts.root of the project's holdfact.toml is ignored" in ran.stderr
    assert "" == program("list", "-q").stderr


def test_config_in_all_its_forms(program: Program) -> None:
    assert "recall.k = 8\n" in program("config", "show").stdout
    assert "facts.root = (not set)\n" in program("config", "show").stdout
    assert "8\n" == program("config", "get", "recall.k").stdout
    program("config", "set", "recall.k", "12")
    assert 12 == program("config", "get", "recall.k", "--json").json["value"]
    assert (
        f"recall.k\t12\t{program.home}/config.toml\n"
        == program("config", "get", "recall.k", "--plain").stdout
    )
    assert "recall.k = 12  " in program("config", "show").stdout
    program("config", "set", "--project", "engine.exclude", "a/**,b/**", "--json")
    assert ["a/**", "b/**"] == program("config", "get", "engine.exclude", "--json").json["value"]
    program("config", "unset", "recall.k", "--json")
    assert "is not set in" in program("config", "unset", "recall.k").stdout
    assert "recall.k\t8\tdefault\n" in program("config", "show", "--plain").stdout
    assert 40 == program("config", "get", "recal.k").code
    assert 40 == program("config", "set", "recall.k", "many").code
    assert "recall.k  How many hits" in program("config", "keys").stdout
    assert "recall.k\tinteger\t8\t" in program("config", "keys", "--plain").stdout
    keys = {key["key"]: key for key in program("config", "keys", "--json").json["keys"]}
    assert (8, None) == (keys["recall.k"]["default"], keys["review.commands"]["variable"])


def test_config_show_lists_what_is_ignored_and_unknown(program: Program) -> None:
    program.write("holdfact.toml", '[facts]\nroot = "/elsewhere"\n')
    environ = {"HOLDFACT_NONSENSE": "1", "HOLDFACT_DEBUG": ""}
    shown = program("config", "show", environ=environ).stdout
    assert "ignored: facts.root = /elsewhere: the project is not trusted" in shown
    assert "unknown variable: HOLDFACT_NONSENSE\n" in shown
    assert "HOLDFACT_DEBUG" not in shown
    answer = program("config", "show", "--json", environ=environ).json
    assert ["facts.root"] == [one["key"] for one in answer["ignored"]]


def test_config_works_outside_a_project_for_the_user(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(program.home.parent)
    from io import BytesIO

    from holdfact.cli.output import Streams
    from holdfact.cli.program import execute

    program.home.mkdir()
    monkeypatch.chdir(program.home)
    out = BytesIO()
    words = ["config", "show", "--json"]
    assert 0 == execute(words, streams=Streams(None, out, None), environ=program.environ)
    assert None is json.loads(out.getvalue())["root"]
    words = ["config", "set", "--project", "recall.k", "3"]
    assert 2 == execute(words, streams=Streams(None, out, None), environ=program.environ)


@pytest.mark.requirement("SPEC-CLI-33")
def test_trust_shows_what_it_would_allow_and_can_be_taken_back(program: Program) -> None:
    program.write(
        "holdfact.toml", '[facts]\nproject_dir = ".holdfact/facts"\nroot = "/elsewhere"\n'
    )
    ran = program("config", "trust")
    assert 2 == ran.code
    assert "the setting facts.root = /elsewhere" in ran.stdout
    assert "the facts in .holdfact/facts to reach prompts" in ran.stdout
    assert "trusted\tfalse\n" in program("config", "trust", "--plain").stdout
    assert False is program("config", "trust", "--json").json["applied"]
    assert True is program("config", "trust", "--json", "--yes").json["trusted"]
    assert "is trusted\n" in program("config", "trust").stdout
    plain = program("config", "trust", "--plain").stdout
    assert "trusted\ttrue\nfacts.root\t/elsewhere\nfacts_folder\t.holdfact/facts\n" == plain
    assert "is not trusted\n" in program("config", "trust", "--revoke").stdout


def test_trusting_a_project_that_asks_for_nothing_says_so(program: Program) -> None:
    assert "nothing: the project's files ask for nothing" in program("config", "trust").stdout


def test_migrate_shows_the_plan_and_copies_with_yes(program: Program) -> None:
    assert "nothing to take over\n" == program("migrate").stdout
    assert [] == program("migrate", "--json").json["plan"]
    old = old_store(program)
    ran = program("migrate")
    assert 2 == ran.code
    assert f"would copy {old} as project/old-port\n" in ran.stdout
    assert f"copy\t{old}\told-port\n" in program("migrate", "--plain").stdout
    assert 2 == program("migrate", "--json").code
    assert True is program("migrate", "--yes", "--json").json["applied"]
    assert 0 == program("read", "old-port").code
    assert "nothing to take over\n" in program("migrate").stdout


@pytest.mark.requirement("SPEC-CLI-34")
def test_the_first_fact_verb_takes_older_facts_over_and_status_does_not(program: Program) -> None:
    old_store(program)
    assert 0 == program("status", "--json").json["facts"]
    ran = program("list")
    assert "project/old-port" in ran.stdout
    assert "1 facts were taken over" in ran.stderr
    assert "" == program("list").stderr


def test_a_failed_migration_is_told_and_stops_nothing(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_store(program)
    failed = MigrationReport(error="the disk is full")
    monkeypatch.setattr("holdfact.facts.store.Store.migrate", lambda _self: failed)
    ran = program("list")
    assert (0, "no facts yet\n") == (ran.code, ran.stdout)
    assert "older facts were not taken over: the disk is full" in ran.stderr
    assert (50, "file_unreadable") == failure(program("migrate", "--yes", "--json"))
    monkeypatch.setattr("holdfact.facts.migrations.plan", lambda _store: failed)
    assert (50, "file_unreadable") == failure(program("migrate", "--json"))

    def refused(_self: object) -> None:
        raise FactUnreadable("odd")

    monkeypatch.setattr("holdfact.facts.store.Store.migrate", refused)
    ran = program("list")
    assert (0, True) == (ran.code, "older facts were not taken over: odd" in ran.stderr)


def failure(ran: Ran) -> tuple[int, str]:
    """The exit code and the error's code."""
    return ran.code, ran.json["error"]["code"]


def test_migrate_tells_of_orphans_edits_and_notes(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = MigrationReport(
        orphans=(StoreEntry("0123", "/gone", 2),),
        edited_in_old_store=("/old/a.md",),
        notes=("A note.",),
    )
    monkeypatch.setattr("holdfact.facts.migrations.plan", lambda _store: report)
    assert program("migrate").stdout.splitlines() == [
        "changed in the old place after it was copied: /old/a.md",
        "2 facts of an unknown project in 0123 /gone",
        "A note.",
        "nothing to take over",
    ]
    assert "edited\t/old/a.md\t\norphan\t0123\t/gone\n" == program("migrate", "--plain").stdout
    assert ["A note."] == program("migrate", "--json").json["notes"]


def old_store(program: Program) -> Path:
    """A fact that an older program kept by the project's path."""
    from holdfact.core.digest import path_key

    folder = program.home / "projects" / path_key(str(program.project.resolve())) / "memory"
    folder.mkdir(parents=True)
    place = folder / "old-port.md"
    place.write_text("---\nname: old-port\ndescription: x\n---\n\nbody\n", encoding="utf-8")
    return place


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(program: Program, shell: str) -> None:
    assert "holdfact complete --" in program("completion", shell).stdout
    assert shell == program("completion", shell, "--json").json["shell"]


@pytest.mark.requirement("SPEC-CLI-35")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("",), {"remember", "recall", "completion", "engine"}),
        (("re",), {"remember", "recall", "read", "review"}),
        (("read", ""), {"ci-port", "project/ci-port"}),
        (("forget", "project/"), {"project/ci-port"}),
        (("config", "t"), {"trust"}),
        (("config", "get", "recall"), {"recall.k", "recall.mode"}),
        (("remember", "x", "--scope", ""), {"project", "global"}),
        (("recall", "--mo"), {"--mode", "--moa-home"}),
        (("--pl",), {"--plain"}),
        (("completion", "b"), {"bash"}),
        (("-C", ".", "rea"), {"read"}),
        (("--json", "rea"), {"read"}),
        (("nothing", "x"), set()),
        (("--color", "a"), {"always", "auto"}),
    ],
)
def test_completion_knows_verbs_options_values_and_facts(
    program: Program, words: tuple[str, ...], expected: set[str]
) -> None:
    program.remember()
    assert expected <= set(program("complete", "--", *words).stdout.split()) or expected == set()
    answer = program("complete", "--json", "--", *words).json
    assert answer["candidates"] == sorted(answer["candidates"])
    assert all(one.startswith(words[-1]) for one in answer["candidates"])


def test_completion_never_fails_where_there_is_no_project(program: Program) -> None:
    ran = program("complete", "-C", "/", "--", "read", "")
    assert (0, "") == (ran.code, ran.stdout)
    assert "read" in program("complete").stdout
    assert "ci-port" not in program("complete", "--plain").stdout
