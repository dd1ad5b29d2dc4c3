"""Taking over older facts: by itself at a start, and asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from holdfact.core.errors import FactUnreadable
from holdfact.facts.migrations.report import MigrationReport, StoreEntry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.cli.conftest import Program, Ran


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


@pytest.mark.requirement("SPEC-CLI-34")
def test_the_first_fact_verb_takes_older_facts_over_and_status_does_not(program: Program) -> None:
    old_store(program)
    assert 0 == program("status", "--json").json["facts"]
    ran = program("list")
    assert "project/old-port" in ran.stdout
    assert "1 fact taken over" in ran.stderr
    assert "" == program("list").stderr
