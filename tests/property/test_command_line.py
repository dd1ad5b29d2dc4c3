"""What must hold for every value on a command line and in an answer."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.cli import escape
from holdfact.cli.output import Streams
from holdfact.cli.parser import command_parser
from holdfact.cli.program import execute
from holdfact.cli.quick import quick_parse
from holdfact.cli.verbs import VERBS, load_command

any_text = st.text(st.characters(), max_size=40)  # surrogates too: bytes that are not UTF-8
WORDS = [
    "--json", "--plain", "-C", "list", "--", "-q", "x", "-k", "recall", "config", "get", "-h",
    "--version", "--color", "search", "--limit", "\u00e9\udcff", "--x=1", "",
]  # fmt: skip
UNSAFE = {chr(code) for code in (*range(32), *range(127, 160))}


@pytest.mark.requirement("SPEC-CLI-21")
@given(any_text)
def test_description_with_an_equals_sign_takes_any_value(value: str) -> None:
    parser = command_parser("remember", load_command(VERBS["remember"]))
    words = ["x", "--scope", "project", "--durable", f"--description={value}"]
    assert value == parser.parse_words(words).description


@pytest.mark.requirement("SPEC-CLI-01")
@given(st.lists(st.sampled_from(WORDS), max_size=6))
def test_every_command_line_ends_with_a_code_and_at_most_one_json_object(words: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder, "project")
        project.mkdir()
        out, err = io.BytesIO(), io.BytesIO()
        environ = {"HOLDFACT_HOME": f"{folder}/home", "HOME": folder}
        code = execute(
            ["-C", str(project), *words], streams=Streams(None, out, err), environ=environ
        )
    assert code in {0, 2, 10, 12, 40, 51}
    options = words[: words.index("--")] if "--" in words else words
    if "--json" in options and out.getvalue().startswith(b"{"):
        assert 1 == json.loads(out.getvalue())["schema"]
    if code and "--json" not in options:
        assert b"" == out.getvalue()
        assert err.getvalue().startswith(b"holdfact: ")


@pytest.mark.requirement("SPEC-CLI-40")
@given(any_text)
def test_shown_text_has_no_control_character_and_is_valid_unicode(text: str) -> None:
    for shown in (escape.line(text), escape.field(text)):
        assert not UNSAFE & set(shown)
        assert shown == shown.encode("utf-8").decode("utf-8")


@pytest.mark.requirement("SPEC-CLI-11")
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40))
def test_a_plain_field_can_be_read_back(text: str) -> None:
    safe = escape.field(f"{text}\t\n\\")
    assert "\t" not in safe
    unescaped = safe.replace("\\\\", "\0").replace("\\t", "\t").replace("\\n", "\n")
    if escape.line(text) == text:
        assert f"{text}\t\n\\" == unescaped.replace("\0", "\\")


@given(st.recursive(any_text, lambda inner: st.lists(inner, max_size=3)))
def test_json_is_read_back_equal_but_for_broken_characters(value: object) -> None:
    serialised = json.dumps(value, ensure_ascii=False)
    whole = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in serialised)
    assert json.loads(whole) == json.loads(escape.json_text(serialised).encode("utf-8"))


LINES = st.lists(
    st.sampled_from(
        [
            "--json", "--plain", "-q", "--quiet", "-k", "3", "-k3", "--mode", "lexical", "hybrid",
            "--mode=vector", "--scope", "project", "global", "--scope=facts", "--path", "x", "--",
            "-", "-x", "- y", "-1", "--body=--", "--body", "--file=x", "--durable", "--description",
            "--description=d", "--invalidate-when=w", "-C", "-C=x", "--yes=1", "-h", "",
            "--color=never",
        ]
    ),
    max_size=7,
)  # fmt: skip


@pytest.mark.requirement("SPEC-CLI-43")
@given(st.sampled_from(sorted(name for name, verb in VERBS.items() if verb.module)), LINES)
def test_the_quick_reading_of_a_line_is_that_of_argparse(verb: str, words: list[str]) -> None:
    command = load_command(VERBS[verb])
    quick = quick_parse(command, words)
    if quick is not None:
        assert vars(command_parser(verb, command).parse_words(words)) == vars(quick)


@pytest.mark.requirement("SPEC-CLI-43")
@pytest.mark.parametrize(
    ("verb", "line"),
    [
        ("recall", "how -k 3 --json --mode=lexical -C x"),
        ("remember", "x --scope project --durable --description=-- --body y"),
        ("context", "--no-tool -q"),
        ("read", "-- --json"),
        ("search", "- --limit=-1"),
    ],
)
def test_ordinary_lines_are_read_quickly(verb: str, line: str) -> None:
    command = load_command(VERBS[verb])
    quick = quick_parse(command, line.split())
    assert quick is not None
    assert vars(command_parser(verb, command).parse_words(line.split())) == vars(quick)
