"""Settings, trust and completion: answers in three forms, and exit codes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Program


def test_moa_home_moves_the_facts(program: Program) -> None:
    program.remember("here", "--moa-home", "../moa")
    assert 10 == program("read", "here").code
    path = program("read", "here", "--moa-home", "../moa", "--json").json["path"]
    assert path.startswith(str(program.project.parent / "moa/codebases/"))


@pytest.mark.requirement("SPEC-CLI-50")
@pytest.mark.parametrize(
    "words", [("list",), ("context",), ("search", "x"), ("recall", "x"), ("status",)]
)
def test_a_named_folder_of_facts_that_is_not_there_yet_is_told(
    program: Program, words: tuple[str, ...]
) -> None:
    moa = program.project.parent / "moa"
    ran = program(*words, "--moa-home", "../moa")
    told = f"--moa-home: facts.root is '{moa}': there is no such folder yet; the first fact makes"
    assert (0, True) == (ran.code, told in ran.stderr)
    assert (False, "") == (moa.exists(), program(*words, "--moa-home", "../moa", "-q").stderr)
    assert 10 == program("read", "x", "--moa-home", "../moa").code
    program.remember("x", "--moa-home", "../moa")
    assert "facts.root" not in program(*words, "--moa-home", "../moa").stderr


@pytest.mark.requirement("SPEC-CLI-50")
@pytest.mark.parametrize(
    "words",
    [("list",), ("context",), ("read", "x"), ("recall", "x"), ("status",), ("forget", "x")],
)
def test_a_named_folder_that_cant_hold_facts_is_an_error(
    program: Program, words: tuple[str, ...]
) -> None:
    ran = program(*words, "--moa-home", "/nowhere/moa")
    assert (40, "") == (ran.code, ran.stdout)
    message, hint = ran.stderr.splitlines()
    asked = "holdfact: --moa-home: facts.root is '/nowhere/moa', but facts can't be kept there: "
    assert f"{asked}/nowhere: there is no such folder" == message
    assert "hint: give --moa-home a folder, or a new one in a folder that exists" == hint


def prepared(program: Program, kind: str) -> str:
    """A path that can be no folder of facts."""
    place = program.write("plain.txt", "x")
    (program.project / "link").symlink_to("nowhere")
    return str({"file": place, "below": place / "x", "link": program.project / "link"}[kind])


@pytest.mark.requirement("SPEC-CLI-50")
@pytest.mark.parametrize(
    ("kind", "at", "why"),
    [
        ("file", "plain.txt", "it is not a folder"),
        ("below", "plain.txt", "it is not a folder"),
        ("link", "link", "there is no such folder"),
    ],
)
def test_what_can_hold_no_facts_is_named_with_its_reason(
    program: Program, kind: str, at: str, why: str
) -> None:
    error = program("list", "--moa-home", prepared(program, kind), "--json").json["error"]
    assert "config_value_invalid" == error["code"]
    assert error["message"].endswith(f"can't be kept there: {program.project / at}: {why}")


@pytest.mark.requirement("SPEC-CLI-50")
def test_where_the_name_came_from_and_what_mends_it_is_said(program: Program) -> None:
    environ = {"HOLDFACT_FACTS_ROOT": "/nowhere/moa"}
    ran = program("list", environ=environ)
    assert "holdfact: environment HOLDFACT_FACTS_ROOT: facts.root is '/nowhere/moa'" in ran.stderr
    assert "hint: set HOLDFACT_FACTS_ROOT to a folder, or unset it\n" in ran.stderr
    assert 0 == program("config", "show", environ=environ).code
    program("config", "set", "facts.root", "/nowhere/moa")
    ran = program("list")
    assert f"holdfact: {program.home}/config.toml: facts.root is" in ran.stderr
    mend = "holdfact config set facts.root DIR, or holdfact config unset facts.root"
    assert f"hint: {mend}\n" in ran.stderr
    assert 0 == program("config", "unset", "facts.root").code
    assert 0 == program("list").code
    program("config", "set", "--project", "facts.root", "none/moa")
    program("config", "trust", "--yes")
    ran = program("list")
    assert "hint: holdfact config set --project facts.root DIR, or" in ran.stderr
    assert (0, "") == program("complete", "--", "read", "")[:2]


@pytest.mark.requirement("SPEC-CLI-50")
def test_a_name_that_is_no_path_is_an_error_of_the_setting(program: Program) -> None:
    ran = program("list", "--moa-home", "x" * 300)
    assert (40, True) == (ran.code, "x: file name too long" in ran.stderr)


def test_ignored_settings_of_the_project_are_told_once_a_run(program: Program) -> None:
    program.write("holdfact.toml", '[facts]\nroot = "moa"\n')
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
    program("config", "unset", "recall.k")
    assert "recall.k\t8\tdefault\n" in program("config", "show", "--plain").stdout
    assert 40 == program("config", "get", "recal.k").code
    assert 40 == program("config", "set", "recall.k", "many").code
    assert "recall.k  How many hits" in program("config", "keys").stdout
    assert "recall.k\tinteger\t8\t" in program("config", "keys", "--plain").stdout
    keys = {key["key"]: key for key in program("config", "keys", "--json").json["keys"]}
    assert (8, None) == (keys["recall.k"]["default"], keys["review.commands"]["variable"])


@pytest.mark.requirement("SPEC-CLI-51")
def test_unset_answers_what_it_did_and_in_which_file(program: Program) -> None:
    for option, file in (
        ((), program.home / "config.toml"),
        (("--project",), program.project / "holdfact.toml"),
    ):
        words = ("config", "unset", "recall.k", *option)
        assert (0, f"recall.k was not set in {file}\n", "") == program(*words)
        assert not file.exists()
        program("config", "set", "recall.k", "12", *option)
        assert (0, f"unset recall.k in {file}\n", "") == program(*words)
        program("config", "set", "recall.k", "12", *option)
        assert f"recall.k\t{file}\ttrue\n" == program(*words, "--plain").stdout
        answer = {"schema": 1, "key": "recall.k", "file": str(file), "was_set": False}
        assert answer == program(*words, "--json").json


def test_config_show_lists_what_is_ignored_and_unknown(program: Program) -> None:
    program.write("holdfact.toml", '[facts]\nroot = "moa"\n')
    environ = {"HOLDFACT_NONSENSE": "1", "HOLDFACT_DEBUG": ""}
    shown = program("config", "show", environ=environ).stdout
    assert "ignored: facts.root = moa: the project is not trusted" in shown
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
    program.write("holdfact.toml", '[facts]\nproject_dir = ".holdfact/facts"\nroot = "moa"\n')
    ran = program("config", "trust")
    assert 2 == ran.code
    assert "the setting facts.root = moa" in ran.stdout
    assert "the facts in .holdfact/facts to reach prompts" in ran.stdout
    assert "trusted\tfalse\n" in program("config", "trust", "--plain").stdout
    assert False is program("config", "trust", "--json").json["applied"]
    assert True is program("config", "trust", "--json", "--yes").json["trusted"]
    assert "is trusted\n" in program("config", "trust").stdout
    plain = program("config", "trust", "--plain").stdout
    assert "trusted\ttrue\nfacts.root\tmoa\nfacts_folder\t.holdfact/facts\n" == plain
    assert "is not trusted\n" in program("config", "trust", "--revoke").stdout


def test_trusting_a_project_that_asks_for_nothing_says_so(program: Program) -> None:
    assert "nothing: the project's files ask for nothing" in program("config", "trust").stdout


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
    ran = program("complete", "-C", "/nowhere", "--", "read", "")
    assert (0, "") == (ran.code, ran.stdout)
    assert "read" in program("complete").stdout
    assert "ci-port" not in program("complete", "--plain").stdout


@pytest.mark.requirement("SPEC-CLI-45")
@pytest.mark.parametrize("key", ["root", "project_dir"])
def test_what_could_not_be_obeyed_is_not_trusted(program: Program, key: str) -> None:
    program.write("holdfact.toml", f'[facts]\n{key} = "/elsewhere"\n')
    ran = program("config", "trust", "--yes")
    assert (40, "") == (ran.code, ran.stdout)
    assert f"facts.{key} is '/elsewhere', but must be a path inside the project" in ran.stderr
    assert "is not trusted" in program("config", "trust", "--revoke").stdout


@pytest.mark.parametrize("key", ["engine.exclude", "facts.root"])
def test_a_value_that_is_not_utf8_is_refused(program: Program, key: str) -> None:
    ran = program("config", "set", key, "\udcff")
    assert (40, "") == (ran.code, ran.stdout)
    assert f"the new value of {key} is not UTF-8" in ran.stderr
