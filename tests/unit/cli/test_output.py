"""Where things are printed, in which form, and with which style."""

from __future__ import annotations

import io
import os

import pytest

from holdfact.cli.output import Output, Progress, Streams
from holdfact.cli.parser import command_parser
from holdfact.cli.verbs import VERBS, load_command
from holdfact.core import clock
from holdfact.core.errors import FileUnwritable
from tests.unit.cli.conftest import Terminal


def output(out: io.BytesIO, **options: object) -> Output:
    """An output with talk on a terminal."""
    return Output(Streams(None, out, Terminal()), **options)  # type: ignore[arg-type]


@pytest.mark.requirement("SPEC-CLI-12")
@pytest.mark.parametrize(
    ("out", "color", "environ", "is_styled"),
    [
        (Terminal(), "auto", {"TERM": "xterm"}, True),
        (Terminal(), "auto", {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Terminal(), "auto", {"TERM": "xterm", "NO_COLOR": ""}, True),
        (Terminal(), "auto", {"TERM": "dumb"}, False),
        (Terminal(), "auto", {}, False),
        (io.BytesIO(), "auto", {"TERM": "xterm"}, False),
        (io.BytesIO(), "always", {"NO_COLOR": "1"}, True),
        (Terminal(), "never", {"TERM": "xterm"}, False),
    ],
)
def test_style_is_for_terminals_that_can(
    out: io.BytesIO, color: str, environ: dict[str, str], *, is_styled: bool
) -> None:
    kept = output(out, color=color, environ=environ)
    assert ("\x1b[1mx\x1b[0m" if is_styled else "x") == kept.strong("x")
    assert ("\x1b[2mx\x1b[0m" if is_styled else "x") == kept.faint("x")


def test_plain_rows_have_stable_values() -> None:
    out = io.BytesIO()
    kept = output(out, form="plain")
    kept.answer({}, plain=lambda: [(None, True, False, 3, "a\tb")], human=list)
    kept.flush()
    assert b"\ttrue\tfalse\t3\ta\\tb\n" == out.getvalue()


def test_nothing_is_printed_before_the_end() -> None:
    out = io.BytesIO()
    kept = output(out)
    kept.answer({}, plain=list, human=lambda: ["text"])
    assert b"" == out.getvalue()
    kept.flush()
    kept.flush()
    assert b"text\n" == out.getvalue()


def test_an_answer_without_an_output_is_an_error() -> None:
    kept = Output(Streams(None, None, None))
    kept.flush()
    kept.raw("x")
    with pytest.raises(FileUnwritable, match="closed"):
        kept.flush()


@pytest.mark.requirement("SPEC-CLI-13")
def test_progress_is_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([10.0, 10.05, 10.2, 10.21])
    monkeypatch.setattr(clock, "monotonic", lambda: next(times))
    err = Terminal()
    bar = Progress(err, "indexing")
    bar(0, 4, "documents")
    bar(1, 4, "documents")  # too soon to draw again
    bar(2, 4, "documents")
    bar(4, 4, "documents")  # the end is always drawn
    bar.close()
    bar.close()
    drawn = err.getvalue().decode().split("\r")
    assert ["", "0/4", "2/4", "4/4", "", ""] == [
        text.split("] ")[-1].split(" ")[0] for text in drawn
    ]
    assert "[############............] 2/4 documents" in drawn[2]


@pytest.mark.requirement("SPEC-CLI-13")
@pytest.mark.parametrize(("columns", "expected"), [(20, 19), (200, 49), (0, 49)])
def test_a_bar_fits_into_its_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, expected: int
) -> None:
    monkeypatch.setattr(Terminal, "fileno", lambda _: 2)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((columns, 24)))
    err = Terminal()
    Progress(err, "indexing")(4, 4, "documents")
    assert expected == len(err.getvalue().decode().strip("\r"))


@pytest.mark.requirement("SPEC-CLI-13")
@pytest.mark.parametrize("options", [{"is_quiet": True}, {"form": "json"}])
def test_progress_is_silent_when_nobody_wants_it(options: dict[str, object]) -> None:
    err = Terminal()
    kept = Output(Streams(None, None, err), **options)  # type: ignore[arg-type]
    bar = kept.progress("indexing")
    bar(1, 2)
    bar.close()
    assert b"" == err.getvalue()
    pipe = io.BytesIO()
    Output(Streams(None, None, pipe)).progress("x")(1, 1)
    assert b"" == pipe.getvalue()


def test_help_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _fd: os.terminal_size((50, 20)))
    text = command_parser("list", load_command(VERBS["list"])).format_help()
    assert max(map(len, text.split("Usage:")[1].split("EXIT")[0].splitlines())) <= 50


def test_help_has_a_width_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_fd: int) -> os.terminal_size:
        raise OSError

    monkeypatch.setattr(os, "get_terminal_size", none)
    assert "Usage:" in command_parser("list", load_command(VERBS["list"])).format_help()


def test_matches_are_marked_and_the_text_around_them_is_safe() -> None:
    text = "a\x1b red fox"
    matches = [(3, 6), (7, 10)]
    plain = output(io.BytesIO()).marked(text, matches)
    assert "a\\x1b **red** **fox**" == plain
    styled = output(io.BytesIO(), color="always").marked(text, matches)
    assert "a\\x1b \x1b[1mred\x1b[0m \x1b[1mfox\x1b[0m" == styled
