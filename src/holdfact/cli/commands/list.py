"""`holdfact list`: the facts of this project and the global ones."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import EMPTY, FACT_CODES, Command, found_code
from holdfact.core.words import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.output import Output
    from holdfact.cli.session import Session
    from holdfact.facts import Memory, Survey

__all__ = ["COMMAND"]

_LEGACY = "legacy"


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments of its own


def _run(args: argparse.Namespace, session: Session) -> int:
    from holdfact.ops.answers import fact_fields

    survey = session.memory().list()
    facts = [fact_fields(fact) for fact in survey.memories]
    problems = [{"path": path, "reason": reason} for path, reason in survey.problems]
    warnings = [{"path": path, "reason": reason} for path, reason in survey.warnings]
    session.out.answer(
        {"facts": facts, "problems": problems, "warnings": warnings},
        plain=lambda: (
            (f["id"], f["lifecycle"], f["description"], f["invalidate_when"], f["path"])
            for f in facts
        ),
        human=lambda: _human(session.out, survey),
    )
    if not session.out.is_json:
        for path, reason in survey.problems:
            session.out.afterword(f"problem: {path}: {reason}")
        for path, reason in survey.warnings:
            session.out.afterword(f"warning: {path}: {reason}")
    return found_code(args, len(facts))


def _human(out: Output, survey: Survey) -> Iterator[str]:
    for fact in survey.memories:
        name, text = escape.line(fact.id), escape.line(fact.description)
        yield f"{out.strong(name)}  {text}{out.faint(escape.line(_life(fact)))}"
    if not survey.memories:
        yield _none(len(survey.unreadable))


def _none(unreadable: int) -> str:
    if not unreadable:
        return "no facts yet"
    return f"no readable facts; {counted(unreadable, 'file')} could not be read as a fact"


def _life(fact: Memory) -> str:
    if fact.invalidate_when:
        return f"  ({fact.invalidate_when})"
    return "  (legacy: no lifecycle)" if fact.lifecycle.value == _LEGACY else ""


COMMAND = Command(
    description="List every fact: those of the project first, then the global ones, by name."
    " A fact that says neither that it is durable nor when it ends is marked as legacy. What is"
    " wrong with a fact's file is told on standard error.",
    examples=(
        ("holdfact list", "all facts"),
        ("holdfact list --plain | cut -f1", "their ids"),
    ),
    exit_status=(EMPTY, *FACT_CODES),
    configure=_configure,
    run=_run,
)
