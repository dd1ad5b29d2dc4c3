"""What must hold for every value on a command line and in an answer."""

from __future__ import annotations

import argparse
import io
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.cli import escape
from holdfact.cli.output import Streams
from holdfact.cli.parser import command_parser
from holdfact.cli.program import execute
from holdfact.cli.quick import quick_parse
from holdfact.cli.verbs import VERBS, load_command

if TYPE_CHECKING:
    from collections.abc import Callable

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


# Every verb with its options, from the tree of parsers: a new one is covered by being there.
TYPED = sorted(name for name, verb in VERBS.items() if verb.module)
# They exclude options, require one, or take any number of arguments: always argparse's.
CAREFUL = {"remember", "complete"}
ODD = ["--", "-", "-x", "- y", "-1", "", "x", "--unknown", "-h", "--yes=1", "-q=1", "a=b", "\u00e9"]


def definition(verb: str) -> list[argparse.Action]:
    """Every argument and option of a verb but help."""
    parser = command_parser(verb, load_command(VERBS[verb]))
    return [one for one in parser.actions() if one.dest not in {argparse.SUPPRESS, "help"}]


def good_value(action: argparse.Action) -> str:
    """A value that the argument takes."""
    if action.choices:
        return str(next(iter(action.choices)))
    return "3" if action.type is int else "word"


def spellings(action: argparse.Action) -> list[list[str]]:
    """Each way to give an argument or option rightly."""
    value = good_value(action)
    if not action.option_strings:
        return [[value]]
    if action.nargs == 0:
        return [[name] for name in action.option_strings]
    joined = [[f"{name}={value}"] for name in action.option_strings if name.startswith("--")]
    return [*([name, value] for name in action.option_strings), *joined]


def words_of(verb: str) -> st.SearchStrategy[list[str]]:
    """Lines of the verb's own words, right and wrong ones mixed."""
    pieces = [piece for action in definition(verb) for piece in spellings(action)]
    glued = [[f"{name}{word}"] for piece in pieces for name in piece[:1] for word in ("=", "=-1")]
    piece = st.sampled_from([*pieces, *glued, *([word] for word in ODD)])
    return st.lists(piece, max_size=6).map(
        lambda found: [word for piece in found for word in piece]
    )


@pytest.mark.requirement("SPEC-CLI-43")
@given(st.sampled_from(TYPED).flatmap(lambda verb: st.tuples(st.just(verb), words_of(verb))))
def test_the_quick_reading_of_a_line_is_that_of_argparse(line: tuple[str, list[str]]) -> None:
    verb, words = line
    command = load_command(VERBS[verb])
    quick = quick_parse(command, words)
    if quick is not None:
        assert vars(command_parser(verb, command).parse_words(words)) == vars(quick)


@pytest.mark.requirement("SPEC-CLI-43")
@pytest.mark.parametrize("verb", sorted(set(TYPED) - CAREFUL))
def test_every_option_of_a_verb_is_read_quickly_and_alike(verb: str) -> None:
    command = load_command(VERBS[verb])
    actions = definition(verb)
    needed = [good_value(action) for action in actions if not action.option_strings]
    optional = [piece for one in actions if one.option_strings for piece in spellings(one)]
    for words in ([], *optional):
        line = [*words, *needed]
        quick = quick_parse(command, line)
        assert quick is not None, line
        assert vars(command_parser(verb, command).parse_words(line)) == vars(quick)


@pytest.mark.requirement("SPEC-CLI-43")
@pytest.mark.parametrize("verb", sorted(CAREFUL))
def test_what_is_not_simple_is_left_to_argparse(verb: str) -> None:
    assert None is quick_parse(load_command(VERBS[verb]), ["x"])


@pytest.mark.requirement("SPEC-CLI-43")
@pytest.mark.parametrize(
    "configure",
    [
        lambda parser: parser.add_mutually_exclusive_group().add_argument("--one"),
        lambda parser: parser.add_argument("--one", action="append"),
        lambda parser: parser.add_argument("--one", nargs=2),
        lambda parser: parser.add_argument("--one", required=True),
    ],
)
def test_a_kind_of_argument_that_is_not_known_is_left_to_argparse(
    configure: Callable[[argparse.ArgumentParser], None],
) -> None:
    command = load_command(VERBS["list"])._replace(configure=configure)
    assert None is quick_parse(command, [])
