"""The whole tree of commands, as the reference page and these tests see it."""

from __future__ import annotations

import argparse

import pytest

from holdfact.cli import main
from holdfact.cli.verbs import VERBS

# The commands and options that others script against; the tree may have more.
CONTRACT = {
    "remember": {"--scope", "--description", "--durable", "--invalidate-when", "--body", "--file",
                 "--if-match"},
    "recall": {"-k", "--mode", "--scope", "--path", "--allow-degraded"},
    "read": set(),
    "list": set(),
    "forget": {"--yes"},
    "search": {"--documents", "--regex", "--limit", "--offset"},
    "context": {"--no-tool"},
    "review": {"--delete-expired"},
    "status": set(),
    "engine sync": set(),
    "engine status": set(),
    "config show": set(),
    "config get": set(),
    "config set": {"--project"},
    "config unset": {"--project"},
    "config keys": set(),
    "config trust": set(),
    "migrate": set(),
    "completion": set(),
}  # fmt: skip
COMMON = {
    "-C", "--json", "--plain", "-q", "--yes", "--fail-empty", "--no-input", "--moa-home", "--state",
    "--color", "--help",
}  # fmt: skip


def commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Each command's full name and parser."""
    found = {}
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to its tree
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for child in action.choices.values():
                own = commands(child)
                found.update(own or {child.prog.removeprefix("holdfact "): child})
    return found


def options(parser: argparse.ArgumentParser) -> set[str]:
    """Every spelling of every option."""
    return {text for action in parser._actions for text in action.option_strings}  # noqa: SLF001 - as above


@pytest.mark.requirement("SPEC-CLI-14")
def test_the_program_has_every_verb_and_option_of_the_contract() -> None:
    tree = commands(main.build_parser())
    assert set(CONTRACT) == set(tree)
    for name, expected in CONTRACT.items():
        assert expected | COMMON <= options(tree[name]), name


@pytest.mark.requirement("SPEC-CLI-05")
def test_every_argument_and_option_is_explained() -> None:
    for name, parser in commands(main.build_parser()).items():
        assert parser.description, name
        assert "EXIT STATUS" in (parser.epilog or ""), name
        for action in parser._actions:  # noqa: SLF001 - as above
            assert action.help, f"{name} {action.dest}"


def test_the_overviews_options_are_those_of_every_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from holdfact.cli.overview import overview

    text = overview()
    assert all(option in text for option in COMMON)
    assert "--version" in options(main.build_parser())
    assert "" == capsys.readouterr().out


def test_each_module_belongs_to_one_verb() -> None:
    modules = [verb.module for verb in VERBS.values() if verb.module]
    assert len(modules) == len(set(modules))


@pytest.mark.requirement("SPEC-CLI-08")
def test_ctrl_c_while_the_program_is_loaded_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(_argv: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("holdfact.cli.program.execute", stopped)
    assert 130 == main.run([])


def test_the_words_of_the_process_are_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["holdfact", "--version"])
    assert 0 == main.run()
    assert "holdfact 0.1.0\n" == capsys.readouterr().out
