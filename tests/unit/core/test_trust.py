"""Trust: by path and content, shown before it is given."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from holdfact.core import trust
from holdfact.core.errors import ConfigError
from holdfact.core.places import home_folder

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    Place = Any

FILE = '[facts]\nroot = "x"\nproject_dir = ".holdfact/facts"\n[recall]\nk = 3\n'


@pytest.mark.requirement("SPEC-CORE-26")
def test_it_shows_what_it_would_allow(place: Place) -> None:
    home = home_folder(place.environ)
    (place.root / "holdfact.toml").write_text(FILE, encoding="utf-8")
    shown = trust.describe(str(place.root), home)

    assert shown.root == str(place.root)
    assert shown.file == str(place.root / "holdfact.toml")
    assert shown.settings == (("facts.root", "x"),)
    assert shown.facts_folder == ".holdfact/facts"
    assert not shown.is_trusted


@pytest.mark.requirement("SPEC-CORE-26")
def test_it_holds_for_one_path_and_one_content(place: Place, tmp_path: Path) -> None:
    home = home_folder(place.environ)
    root, other = str(place.root), tmp_path / "other"
    other.mkdir()
    for folder in (place.root, other):
        (folder / "holdfact.toml").write_text(FILE, encoding="utf-8")
    trust.trust(root, home, sha256=trust.describe(root, home).sha256)
    trust.trust(str(tmp_path), home, sha256=trust.describe(str(tmp_path), home).sha256)

    assert trust.is_trusted(root, home)
    assert trust.is_trusted(str(tmp_path), home)
    assert not trust.is_trusted(str(other), home)
    assert trust.describe(root, home).is_trusted
    (place.root / "holdfact.toml").write_text(FILE + "#\n", encoding="utf-8")
    assert not trust.is_trusted(root, home)
    assert trust.is_trusted(root, home, FILE.encode())
    trust.distrust(root, home)
    assert not trust.is_trusted(root, home, FILE.encode())
    assert trust.is_trusted(str(tmp_path), home)


def test_a_project_without_a_file_can_be_trusted_until_it_has_one(place: Place) -> None:
    home = home_folder(place.environ)
    root = str(place.root)
    shown = trust.describe(root, home)
    assert (shown.settings, shown.facts_folder) == ((), None)
    trust.trust(root, home, sha256=shown.sha256)
    assert trust.is_trusted(root, home)
    (place.root / "holdfact.toml").write_text(FILE, encoding="utf-8")
    assert not trust.is_trusted(root, home)


@pytest.mark.requirement("SPEC-CORE-26")
def test_what_was_shown_is_what_is_trusted(place: Place) -> None:
    home = home_folder(place.environ)
    shown = trust.describe(str(place.root), home)
    (place.root / "holdfact.toml").write_text(FILE, encoding="utf-8")
    with pytest.raises(ConfigError, match="changed since it was shown"):
        trust.trust(str(place.root), home, sha256=shown.sha256)
    assert not trust.is_trusted(str(place.root), home)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"projects": 3}', '{"projects": {"a": 3}}'])
def test_a_damaged_record_is_an_error(place: Place, text: str) -> None:
    home = home_folder(place.environ)
    (place.home / "state").mkdir(parents=True)
    (place.home / "state" / "trust.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="is damaged"):
        trust.is_trusted(str(place.root), home)


def test_what_a_killed_process_left_beside_the_record_goes(place: Place) -> None:
    home = home_folder(place.environ)
    left = place.home / "state" / ".holdfact-tmp-1-a"
    left.parent.mkdir(parents=True)
    left.touch()
    os.utime(left, (0, 0))
    trust.trust(str(place.root), home, sha256=trust.describe(str(place.root), home).sha256)
    assert not left.exists()


def test_an_unreadable_record_is_an_error(place: Place) -> None:
    home = home_folder(place.environ)
    (place.home / "state" / "trust.json").mkdir(parents=True)
    with pytest.raises(ConfigError, match="not a regular file"):
        trust.is_trusted(str(place.root), home)
