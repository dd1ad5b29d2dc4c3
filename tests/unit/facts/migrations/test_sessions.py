"""Session headers: read from the beginning of a file, whatever the rest is."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from holdfact.core.digest import path_key
from holdfact.core.errors import FileUnreadable
from holdfact.facts.migrations import sessions
from holdfact.facts.migrations.sessions import (
    HeaderBroken,
    is_still_broken,
    read_header,
    read_sessions,
)

if TYPE_CHECKING:
    from pathlib import Path

HUGE = '"messages": "' + "x" * 2_000_000 + '"'


@pytest.mark.requirement("SPEC-MIG-10")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"id": "1", "metadata": {"cwd": "/a"}}', "/a"),
        (' {\n"metadata" : {"cwd": "/a"} ,\t"id": "1"\r}', "/a"),
        ('{"id": "1", "metadata": {"cwd": "/a"}, "messages": [{"broken', "/a"),
        ('{"id": "1", "metadata": {"cwd": "/a"}, ' + HUGE + "}", "/a"),
        ('{"id": "1", "note": "' + "x" * 20_000 + '", "metadata": {"cwd": "/a"}}', "/a"),
        ('{"id": "1", ' + HUGE + ', "metadata": {"cwd": "/too/late"}}', ""),
        ('{"id": "1", "metadata": {"model": "x"}}', ""),
        ('{"id": "1", "metadata": ["cwd"]}', ""),
        ('{"id": "1", "metadata": {"cwd": 5}}', ""),
        ('{"id": "1", "metadata": {"cwd": "relative"}}', ""),
        ('{"id": "1", "metadata": {"cwd": "/a\\u0000b"}}', ""),
        ('{"id": "1", "metadata": {"cwd": "/a\\ud800"}}', ""),
        ('{"id": "1"}', ""),
    ],
)
def test_a_header_names_a_directory_or_none(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "1.json"
    path.write_text(text, encoding="utf-8")
    assert read_header(str(path)) == expected


@pytest.mark.requirement("SPEC-MIG-10")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"id": "',
        '{"id": "1", "metadata"',
        '{"id": "1" "metadata": {}}',
        '{"id": "1", 5: {}}',
        '{"id": 5, "metadata": {"cwd": "/a"}}',
        '{"metadata": {"cwd": "/a"}}',
        '{"deep": ' + "[" * 200_000,
        "{" + HUGE,
        "\x00\x01",
    ],
)
def test_what_is_no_header_is_counted_and_not_fatal(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "s"
    folder.mkdir()
    path = folder / "1.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(HeaderBroken):
        read_header(str(path))
    evidence = read_sessions(str(tmp_path))
    assert evidence.directories == {}
    assert [one.path for one in evidence.broken] == [str(path)]
    assert evidence.unreadable == 0


def test_the_newest_session_names_the_store(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    for age, name in enumerate(("link", "real")):
        folder = tmp_path / "sessions" / name
        folder.mkdir(parents=True)
        path = folder / "1.json"
        header = {"id": "1", "metadata": {"cwd": str(tmp_path / name)}}
        path.write_text(json.dumps(header), encoding="utf-8")
        os.utime(path, (age, age))
    evidence = read_sessions(str(tmp_path / "sessions"))
    assert evidence.directories[path_key(os.path.realpath(real))] == str(tmp_path / "real")
    assert evidence.unreadable == 0


def test_what_is_no_session_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "notes.txt").write_text("x", encoding="utf-8")
    (tmp_path / "s" / "1.json").mkdir()
    (tmp_path / "1.json").write_text("x", encoding="utf-8")
    assert read_sessions(str(tmp_path)) == ({}, (), 0)
    assert read_sessions(str(tmp_path / "missing")) == ({}, (), 0)


def test_a_folder_that_cannot_be_listed_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s").mkdir()
    assert read_sessions(__file__) == ({}, (), 1)
    real = os.scandir

    def scandir(path: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - as os.scandir
        if path.endswith("/s"):
            raise PermissionError(13, "no")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert read_sessions(str(tmp_path)) == ({}, (), 1)


def test_more_sessions_than_the_limit_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSION_FILES", 1)
    (tmp_path / "s").mkdir()
    for name in ("1", "2", "3"):
        (tmp_path / "s" / f"{name}.json").write_text('{"id": "1"}', encoding="utf-8")
    assert read_sessions(str(tmp_path)).unreadable == 2


def test_a_session_that_goes_away_while_it_is_read_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "1.json").write_text("{", encoding="utf-8")

    def gone(path: str) -> None:
        raise FileUnreadable(path)

    monkeypatch.setattr(sessions, "read_header", gone)
    assert read_sessions(str(tmp_path)) == ({}, (), 1)


def test_a_broken_session_is_still_broken_until_it_changes(tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    path = tmp_path / "s" / "1.json"
    path.write_text("{", encoding="utf-8")
    (broken,) = read_sessions(str(tmp_path)).broken
    assert is_still_broken(broken)
    path.write_text('{"id": "1"}', encoding="utf-8")
    assert not is_still_broken(broken)
    path.unlink()
    assert not is_still_broken(broken)
