"""The marker: what is written is read back; what can't be trusted counts as lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from holdfact.core.errors import FileUnreadable
from holdfact.facts.migrations import StoreEntry, marker
from holdfact.facts.migrations.marker import (
    Handled,
    Marker,
    encode_json,
    read_marker,
    to_bytes,
    write_marker,
)
from holdfact.facts.migrations.sessions import Broken

if TYPE_CHECKING:
    from pathlib import Path

KEY = "0123456789abcdef"
FULL = Marker(
    "2026-01-01T00:00:00Z",
    complete=True,
    copied=(StoreEntry(KEY, "/a <b> & c", 3),),
    pending=(StoreEntry(KEY, "", 0),),
    handled=(
        Handled(KEY, "MEMORY.md", "b" * 64, 1, 2, "kept", "c" * 64),
        Handled(KEY, "memory/a.md", "a" * 64, 0, -5),
    ),
    waiting=(Broken("/s/1.json", 1, 2),),
)


def valid(**changes: object) -> dict[str, Any]:
    return {"version": 1, "updated_at": "2026-01-01T00:00:00.5Z", "complete": True, **changes}


def read(folder: Path, text: str) -> Marker:
    path = folder / "marker.json"
    path.write_text(text, encoding="utf-8")
    return read_marker(str(path))


@pytest.mark.requirement("SPEC-MIG-6")
def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = str(tmp_path / "marker.json")
    write_marker(path, FULL)
    found = read_marker(path)
    assert found.updated_at > FULL.updated_at
    assert found._replace(updated_at=FULL.updated_at) == FULL


def test_empty_lists_are_left_out_and_html_is_escaped() -> None:
    assert list(json.loads(to_bytes(Marker()))) == ["version", "updated_at", "complete", "holdfact"]
    assert encode_json({"a": "<&>\u2028é"}) == (
        '{\n  "a": "\\u003c\\u0026\\u003e\\u2028é"\n}\n'.encode()
    )


@pytest.mark.parametrize("extra", [{}, {"holdfact": {}}, {"holdfact": 5}, {"later": [1]}])
def test_the_shared_fields_are_enough(tmp_path: Path, extra: dict[str, object]) -> None:
    copied = [{"hash": KEY, "facts": 2}, {"hash": KEY, "cwd": "/a", "facts": 1, "later": 1}]
    found = read(tmp_path, json.dumps(valid(copied_stores=copied, **extra)))
    assert found.complete is True
    assert found.copied == (StoreEntry(KEY, "", 2), StoreEntry(KEY, "/a", 1))
    assert found.handled == ()


@pytest.mark.requirement("SPEC-MIG-2")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"complete": true}',
        "[" * 200_000,
        json.dumps(valid(version=2)),
        json.dumps(valid(version=True)),
        json.dumps(valid(updated_at="0001-01-01T00:00:00Z")),
        json.dumps(valid(updated_at="yesterday, at some time")),
        json.dumps(valid(updated_at=5)),
        json.dumps(valid(copied_stores={})),
        json.dumps(valid(copied_stores=[5])),
        json.dumps(valid(copied_stores=[{"facts": 1}])),
        json.dumps(valid(copied_stores=[{"hash": "../../..", "facts": 1}])),
        json.dumps(valid(copied_stores=[{"hash": KEY.upper(), "facts": 1}])),
        json.dumps(valid(pending_stores=[{"hash": KEY, "facts": -1}])),
        json.dumps(valid(pending_stores=[{"hash": KEY, "facts": True}])),
        json.dumps(valid(pending_stores=[{"hash": KEY, "facts": 1, "cwd": 5}])),
    ],
)
def test_a_marker_that_cannot_be_trusted_is_lost(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == Marker()


@pytest.mark.parametrize(
    "change",
    [{"sha256": "a"}, {"bytes": 1, "size": -1}, {"mtime_ns": "1"}, {"file": 5}, {"edited": 5}],
)
def test_our_part_alone_can_be_lost(tmp_path: Path, change: dict[str, object]) -> None:
    good = {"store": KEY, "file": "memory/a.md", "sha256": "a" * 64, "size": 1, "mtime_ns": 1}
    files = {"copied_files": [good, {**good, **change}]}
    found = read(tmp_path, json.dumps(valid(holdfact=files)))
    assert found.complete is True
    assert found.handled == ()
    missing = {"copied_files": [{"store": KEY}]}
    assert read(tmp_path, json.dumps(valid(holdfact=missing))).handled == ()


def test_a_missing_or_absurd_marker_is_lost_but_an_unreadable_one_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_marker(str(tmp_path / "missing")) == Marker()
    with pytest.raises(FileUnreadable):
        read_marker(str(tmp_path))
    monkeypatch.setattr(marker, "MAX_MIGRATION_RECORD_BYTES", 1)
    assert read(tmp_path, json.dumps(valid())) == Marker()
