"""The verbs of facts: what each answers in its three forms, and with which exit code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Program


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


@pytest.mark.requirement("SPEC-CLI-23")
@pytest.mark.parametrize("fact_id", ["../x", "Not_a_slug", "team/x"])
@pytest.mark.parametrize("verb", ["read", "forget"])
def test_what_is_no_id_hints_to_the_list_of_facts(
    program: Program, verb: str, fact_id: str
) -> None:
    ran = program(verb, fact_id)
    assert (12, "", "hint: holdfact list") == (ran.code, ran.stdout, ran.stderr.splitlines()[1])
    described = ("--scope", "project", "--durable", "--description", "x")
    assert "hint: holdfact remember --help\n" in program("remember", "Bad", *described).stderr


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


def write_bad(program: Program, *names: str) -> list[Path]:
    """Files in the global folder that are no facts."""
    folder = program.home / "global/memory"
    folder.mkdir(parents=True)
    for name in names:
        (folder / f"{name}.md").write_text("no header", encoding="utf-8")
    return [folder / f"{name}.md" for name in names]


@pytest.mark.requirement("SPEC-CLI-49")
def test_a_list_of_unreadable_files_only_does_not_say_that_there_are_none(program: Program) -> None:
    one, two = write_bad(program, "one", "two")
    ran = program("list")
    assert (0, "no readable facts; 2 files could not be read as a fact\n") == ran[:2]
    reason = "the frontmatter is missing: its first line must be ---"
    assert [f"problem: {one}: {reason}", f"problem: {two}: {reason}"] == ran.stderr.splitlines()
    assert 4 == program("list", "--fail-empty").code


@pytest.mark.requirement("SPEC-CLI-49")
@pytest.mark.parametrize("form", [(), ("--no-tool",), ("--json",)])
def test_context_tells_how_many_files_could_not_be_read(
    program: Program, form: tuple[str, ...]
) -> None:
    program.remember()
    block = program("context", *form).stdout
    (one,) = write_bad(program, "one")
    told = "1 file could not be read as a fact; holdfact list shows why"
    assert (0, block, f"holdfact: {told}\n") == program("context", *form)
    assert (0, block, "") == program("context", *form, "-q")
    one.write_text("---\ndescription: x\n<<<<<<< HEAD\n---\n", encoding="utf-8")
    assert "" == program("context", *form).stderr  # a problem, but it is in the block


@pytest.mark.requirement("SPEC-CLI-24")
def test_forget_without_yes_shows_the_plan_changes_nothing_and_exits_with_2(
    program: Program,
) -> None:
    program.remember()
    ran = program("forget", "ci-port")
    assert (2, "would delete project/ci-port: CI uses port 3306\n") == (ran.code, ran.stdout)
    assert "holdfact: nothing was changed; add --yes to do it\n" == ran.stderr
    answer = program("forget", "ci-port", "--json").json
    assert (False, "confirmation_required") == (answer["applied"], answer["error"]["code"])
    assert program("forget", "ci-port", "--plain").stdout.startswith("delete\tproject/ci-port\t")
    assert 0 == program("read", "ci-port").code
    assert "deleted project/ci-port\n" == program("forget", "ci-port", "--yes").stdout
    assert 10 == program("read", "ci-port").code


@pytest.mark.requirement("SPEC-CLI-51")
@pytest.mark.parametrize("asked", ["bad", "global/bad"])
def test_forget_deletes_what_cant_be_read_too_and_answers_alike(
    program: Program, asked: str
) -> None:
    (bad,) = write_bad(program, "bad")
    assert program("forget", asked).stdout.startswith("would delete global/bad: unreadable: ")
    (row,) = program("forget", asked, "--json").json["plan"]
    assert ("global/bad", str(bad)) == (row["id"], row["path"])
    assert (0, "deleted global/bad\n") == program("forget", asked, "--yes")[:2]
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


@pytest.mark.requirement("SPEC-CLI-47")
def test_search_looks_into_documents_when_asked(program: Program) -> None:
    program.remember("port")
    (program.project / "docs").mkdir()
    (program.project / "docs/port.md").write_text("nothing", encoding="utf-8")
    (program.project / "a.md").write_text("The PORT is 3306", encoding="utf-8")
    (program.project / "bad.md").write_bytes(b"port \xff")
    (program.project / "no-source.txt").write_text("port", encoding="utf-8")
    ran = program("search", "port", "--documents", "--json")
    expected = [("project/port", "name"), ("docs/port.md", "path"), ("a.md", "text")]
    assert expected == [(hit["id"], hit["field"]) for hit in ran.json["hits"]]
    assert [{"path": "bad.md", "reason": "not UTF-8 (byte 5)"}] == ran.json["skipped"]
    assert "1 file not searched" in ran.stderr
    assert 1 == program("search", "port", "--json").json["total"]
    page = program("search", "port", "--documents", "--limit", "1", "--offset", "1", "--plain")
    assert "docs/port.md\tpath\tdocs/port.md\n" == page.stdout


@pytest.mark.requirement("SPEC-CLI-47")
def test_search_takes_patterns_over_documents_and_sees_them_as_they_are(program: Program) -> None:
    pytest.importorskip("re2")
    document = program.project / "a.md"
    document.write_text("port 3306", encoding="utf-8")
    words = ("search", "--documents", "--regex", r"port \d+")
    assert "a.md  text\n  port 3306\n" == program(*words).stdout
    document.write_text("gone", encoding="utf-8")
    assert "nothing found\n" == program(*words).stdout
    assert 2 == program("search", "--documents", "--regex", "(").code


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
    line = "1 fact of this repository is held back until its user trusts it: holdfact config trust"
    assert held.endswith(f"- … ({line})\n")
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


@pytest.mark.requirement("SPEC-CLI-27")
def test_only_held_back_facts_have_the_heading_too(program: Program) -> None:
    program.write("holdfact.toml", '[facts]\nproject_dir = ".holdfact/facts"\n')
    program.remember()
    heading, line = program("context").stdout.split("\n\n")
    assert heading.startswith("## Memory")
    assert line.startswith("- … (1 fact of this repository is held back")


@pytest.mark.requirement("SPEC-FACT-32")
def test_list_marks_legacy_facts_and_tells_problems_behind_them(program: Program) -> None:
    folder = program.home / "global/memory"
    folder.mkdir(parents=True)
    text = "---\nname: other\ndescription: Old\n<<<<<<< HEAD\n---\n"
    (folder / "old.md").write_text(text, encoding="utf-8")
    ran = program("list")
    assert "global/old  Old  (legacy: no lifecycle)\n" == ran.stdout
    problem, warning = ran.stderr.splitlines()
    assert problem.startswith(f"problem: {folder}/old.md: conflict markers")
    assert warning.startswith(f"warning: {folder}/old.md: the header says name: other")
    answer = program("list", "--json").json
    assert [1, 1] == [len(answer["problems"]), len(answer["warnings"])]


@pytest.mark.requirement("SPEC-CLI-44")
def test_outside_a_project_there_are_global_facts(program: Program) -> None:
    described = ("--durable", "--description", "Use tabs")
    assert 0 == program("remember", "tabs", "--scope", "global", *described, "-C", "/").code
    ran = program("list", "-C", "/")
    assert "global/tabs  Use tabs\n" == ran.stdout
    assert "only global facts" in ran.stderr
    error = program("remember", "x", "--scope=project", *described, "-C/", "--json").json["error"]
    assert "not_a_project" == error["code"]
    refused = program("review", "-C", "/")
    assert (2, False) == (refused.code, "only global facts" in refused.stderr)


def test_a_pipe_as_file_gets_the_way_to_do_it(program: Program, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    described = ("--scope", "project", "--durable", "--description", "x")
    ran = program("remember", "x", *described, "--file", str(tmp_path / "pipe"))
    assert 50 == ran.code
    assert "--file - takes what comes through a pipe" in ran.stderr


@pytest.mark.requirement("SPEC-FACT-33")
@pytest.mark.parametrize("words", [("list", "--json"), ("context",), ("read", "x"), ("review",)])
def test_verbs_say_that_git_did_not_answer(program: Program, words: tuple[str, ...]) -> None:
    program.write(".git", "gitdir: /gone/.git/worktrees/project\n")
    told = f"project facts are those of this folder only ({program.project})"
    assert 1 == program(*words).stderr.count(f"holdfact: git did not answer: {told}\n")
    assert told not in program(*words, "-q").stderr
    described = ("--durable", "--description", "CI uses port 3306")
    refused = program("remember", "ci-port", "--scope", "project", *described, "--json")
    assert (16, "codebase_unknown") == (refused.code, refused.json["error"]["code"])
    assert told in refused.stderr
    assert 0 == program("remember", "ci-port", "--scope", "global", *described).code


@pytest.mark.requirement("SPEC-FACT-33")
def test_an_empty_pointer_of_a_worktree_is_refused_and_an_empty_git_folder_is_none(
    program: Program,
) -> None:
    described = ("--scope", "project", "--durable", "--description", "CI uses port 3306")
    program.write(".git", "")
    assert 16 == program("remember", "ci-port", *described).code
    (program.project / ".git").unlink()
    (program.project / ".git").mkdir()
    written = program("remember", "ci-port", *described)
    assert (0, False) == (written.code, "git did not answer" in written.stderr)
