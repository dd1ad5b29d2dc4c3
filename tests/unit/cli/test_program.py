"""The frame: finding the verb, mistakes, help, and what happens to every error."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from holdfact.cli.output import Streams
from holdfact.cli.program import execute
from holdfact.cli.verbs import VERBS

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Program

VISIBLE = [name for name, verb in VERBS.items() if verb.heading and verb.module]


@pytest.mark.requirement("SPEC-CLI-01")
@pytest.mark.parametrize(
    "words",
    [
        ("recall", "--jsno", "x"),
        ("lst",),
        ("read",),
        ("recall", "x", "-k", "many"),
        ("recall", " "),
        ("recall", "x", "-k", "0"),
        ("recall", "x", "-k", "-1"),
        ("list", "surplus"),
        ("remember", "x", "--scope", "nowhere"),
        ("config",),
        ("config", "trst"),
        ("--jsno",),
        (),
    ],
)
def test_a_usage_error_leaves_standard_output_empty_and_says_what_to_do(
    program: Program, words: tuple[str, ...]
) -> None:
    ran = program(*words)
    assert (2, "") == (ran.code, ran.stdout)
    assert ran.stderr.startswith("holdfact: ")
    assert "\nhint: " in ran.stderr


@pytest.mark.requirement("SPEC-CLI-02")
@pytest.mark.parametrize(
    "words",
    [
        ("--json", "recall", "--jsno", "x"),
        ("recall", "--json"),
        ("lst", "--json"),
        ("--json",),
        ("config", "--json"),
        ("recall", "x", "-k", "many", "--json"),
        ("read", "../x", "--json"),
        ("read", "x", "--json", "--plain"),
    ],
)
def test_with_json_a_mistake_is_the_error_object_also_before_the_arguments_are_understood(
    program: Program, words: tuple[str, ...]
) -> None:
    ran = program(*words)
    assert ran.json["error"]["code"] in {"usage", "value_refused"}
    assert ran.code == (12 if "../x" in words else 2)
    assert ran.stderr == ""


def test_json_after_the_end_of_options_is_an_argument(program: Program) -> None:
    ran = program("read", "--", "--json")
    assert (12, "") == (ran.code, ran.stdout)


@pytest.mark.requirement("SPEC-CLI-03")
def test_json_may_stand_before_and_after_the_verb(program: Program) -> None:
    program.remember()
    expected = program("list", "--json").json
    assert expected == program("--json", "list").json
    assert expected["facts"][0]["id"] == "project/ci-port"


@pytest.mark.requirement("SPEC-CLI-04")
@pytest.mark.parametrize(
    ("words", "guess"),
    [
        (("recal", "x"), "holdfact recall"),
        (("rember", "x"), "holdfact remember"),
        (("config", "trst"), "holdfact config trust"),
        (("recall", "x", "--jsn"), "--json"),
        (("remember", "x", "--descripton=y"), "--description"),
        (("--versoin",), "--version"),
    ],
)
def test_a_typo_gets_a_suggestion(program: Program, words: tuple[str, ...], guess: str) -> None:
    assert f"did you mean {guess}?" in program(*words).stderr


def test_a_word_like_nothing_gets_the_way_to_the_help(program: Program) -> None:
    assert "hint: holdfact --help" in program("qqqqqqq").stderr
    assert "hint: holdfact list --help" in program("list", "--qqqqqqq").stderr


@pytest.mark.requirement("SPEC-CLI-05")
def test_the_overview_has_examples_first_and_the_daily_verbs_before_the_others(
    program: Program,
) -> None:
    ran = program("--help")
    places = [ran.stdout.index(text) for text in ("Examples:", "Daily:", "Operate:", "Connect:")]
    assert (0, sorted(places)) == (ran.code, places)
    rows = [line.split()[0] for line in ran.stdout.splitlines() if line.startswith("  ")]
    for name in VISIBLE:
        assert name.split()[0] in rows


@pytest.mark.requirement("SPEC-CLI-05")
@pytest.mark.parametrize("name", VISIBLE)
def test_the_help_of_every_verb_has_examples_before_usage_and_its_exit_codes_last(
    program: Program, name: str
) -> None:
    ran = program(*name.split(), "--help")
    places = [ran.stdout.index(text) for text in ("Examples:", "Usage:", "EXIT STATUS")]
    assert (0, sorted(places), "") == (ran.code, places, ran.stderr)
    codes = ran.stdout[places[2] :].splitlines()[1:]
    assert codes == sorted(codes, key=lambda line: int(line.split()[0]))
    assert {"0", "1", "2", "130"} <= {line.split()[0] for line in codes}
    assert all(len(line) <= 100 for line in ran.stdout[places[1] :].splitlines())


def test_help_wins_over_missing_arguments_and_may_stand_before_the_verb(program: Program) -> None:
    expected = program("read", "-h").stdout
    assert expected == program("-h", "read").stdout
    assert expected.startswith("Show one fact")


def test_the_help_of_a_group_lists_its_verbs(program: Program) -> None:
    assert "engine sync" in program("engine", "--help").stdout
    assert "config trust" in program("-h", "config").stdout


def test_the_version(program: Program) -> None:
    ran = program("--version")
    assert (0, "holdfact 0.1.0\n", "") == tuple(ran)


def test_options_with_values_may_stand_before_the_verb(program: Program) -> None:
    program.remember()
    ran = program("--color", "never", "--state", "s", "list", "--plain")
    assert ran.stdout.startswith("project/ci-port\t")


@pytest.mark.requirement("SPEC-CLI-06")
def test_a_missing_folder_is_a_usage_error(program: Program) -> None:
    ran = program("-C", "/nowhere/at/all", "list")
    assert (2, "") == (ran.code, ran.stdout)
    assert "/nowhere/at/all" in ran.stderr
    assert program("config", "show", "-C", "/nowhere/at/all").code == 2


@pytest.mark.requirement("SPEC-CLI-07")
def test_a_fault_of_the_program_is_one_line_and_the_way_to_the_traceback(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no such thing")

    monkeypatch.setattr("holdfact.api.Memory.list", broken)
    ran = program("list")
    assert (1, "") == (ran.code, ran.stdout)
    assert ran.stderr.splitlines() == [
        "holdfact: internal fault: RuntimeError: no such thing",
        "hint: this is a mistake in holdfact; HOLDFACT_DEBUG=1 shows where it happened",
    ]
    assert program("list", "--json").json["error"]["code"] == "internal"
    with pytest.raises(RuntimeError, match="no such thing"):
        program("list", environ={"HOLDFACT_DEBUG": "1"})


@pytest.mark.requirement("SPEC-CLI-08")
def test_ctrl_c_is_130(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("holdfact.api.Memory.list", stopped)
    assert (130, "", "holdfact: stopped\n") == tuple(program("list"))
    ran = program("list", "--json")
    assert (130, "interrupted") == (ran.code, ran.json["error"]["code"])


class Full(io.BytesIO):
    """A stream on a full disk."""

    def write(self, _data: object) -> int:
        """Refuse."""
        raise OSError(28, "No space left on device")


class Gone(io.BytesIO):
    """A pipe that nobody reads."""

    def write(self, _data: object) -> int:
        """Refuse."""
        raise BrokenPipeError


@pytest.mark.requirement("SPEC-CLI-09")
@pytest.mark.parametrize("out", [Full(), None])
def test_an_answer_that_cant_be_written_is_an_error(
    program: Program, out: io.BytesIO | None
) -> None:
    err = io.BytesIO()
    words = ["-C", str(program.project), "list"]
    code = execute(words, streams=Streams(None, out, err), environ=program.environ)
    assert code == 51
    assert err.getvalue().startswith(b"holdfact: can't write the answer")


def test_an_error_that_cant_be_written_as_json_is_told_as_text(program: Program) -> None:
    err = io.BytesIO()
    words = ["-C", str(program.project), "list", "--json"]
    assert 51 == execute(words, streams=Streams(None, Full(), err), environ=program.environ)
    assert b"No space left" in err.getvalue()


@pytest.mark.requirement("SPEC-CLI-10")
def test_a_closed_pipe_is_quiet(program: Program) -> None:
    err = io.BytesIO()
    words = ["-C", str(program.project), "list"]
    assert 0 == execute(words, streams=Streams(None, Gone(), err), environ=program.environ)
    assert err.getvalue() == b""


def test_a_closed_standard_error_hurts_nobody(program: Program) -> None:
    out = io.BytesIO()
    words = ["-C", str(program.project), "read", "x", "--json"]
    assert 10 == execute(words, streams=Streams(None, out, Gone()), environ=program.environ)
    assert json.loads(out.getvalue())["error"]["code"] == "fact_not_found"
    words = ["-C", str(program.project), "read", "x"]
    assert 10 == execute(words, streams=Streams(None, out, Gone()), environ=program.environ)
    assert 10 == execute(words, streams=Streams(None, out, None), environ=program.environ)


@pytest.mark.parametrize("words", [("help",), ("help", "recall"), ("help", "config", "trust")])
def test_help_is_also_a_word(program: Program, words: tuple[str, ...]) -> None:
    expected = program(*words[1:], "--help")
    assert expected.code == 0
    assert expected == program(*words)


def test_help_of_an_unknown_command_gets_a_suggestion(program: Program) -> None:
    assert "did you mean holdfact recall?" in program("help", "recal").stderr


def test_a_lone_end_of_options_means_nothing(program: Program) -> None:
    assert program("list", "-q") == program("list", "-q", "--")


@pytest.mark.parametrize("option", ["--moa-home", "--state"])
def test_an_empty_folder_is_refused_not_taken_for_the_project(
    program: Program, option: str
) -> None:
    ran = program("recall", "x", f"{option}=")
    assert (2, "") == (ran.code, ran.stdout)
    assert f"holdfact: {option} names no folder\n" in ran.stderr
    assert [] == list(program.project.iterdir())


def test_an_unknown_short_option_is_called_one(program: Program) -> None:
    assert "holdfact list has no option -k" in program("list", "-k", "3").stderr


def test_an_empty_command_is_shown_as_one(program: Program) -> None:
    assert "there is no command holdfact ''" in program("").stderr


@pytest.mark.parametrize("query", ["caf\udcc3\udca9", "caf\u00e9"])
def test_a_query_in_bytes_that_the_locale_does_not_know_is_found(
    program: Program, query: str
) -> None:
    program.write("notes.md", "a caf\u00e9\n")
    assert 1 == program("recall", query, "--json").json["total"]
    assert 0 == program("recall", "\udcff", "--json").json["total"]


@pytest.mark.parametrize("option", ["--moa-home", "--state"])
def test_a_relative_folder_where_the_working_directory_is_gone_is_refused(
    program: Program, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = program.project / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    ran = program("list", "-C", ".", option, "x")
    assert (2, "") == (ran.code, ran.stdout)
