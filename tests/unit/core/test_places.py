"""Where things are."""

from __future__ import annotations

import json
import os
import pwd
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from holdfact.core import places
from holdfact.core.digest import sha256_hex
from holdfact.core.errors import ConfigError, FileUnwritable, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    Place = Any


@pytest.mark.requirement("SPEC-CORE-10")
def test_one_variable_stands_for_every_user_folder() -> None:
    environ = {"HOLDFACT_HOME": "/x/y/", "HOME": "/h", "XDG_STATE_HOME": "/s"}
    home = places.home_folder(environ)
    assert home == ("/x/y", "/x/y/state", "/x/y/cache")
    assert places.user_config_file(home) == "/x/y/config.toml"


@pytest.mark.requirement("SPEC-CORE-10")
@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        (
            {"HOME": "/h", "HOLDFACT_HOME": ""},
            ("/h/.config/holdfact", "/h/.local/state/holdfact", "/h/.cache/holdfact"),
        ),
        (
            {"HOME": "/h/", "XDG_CONFIG_HOME": "/c/", "XDG_STATE_HOME": "s", "XDG_CACHE_HOME": ""},
            ("/c/holdfact", "/h/.local/state/holdfact", "/h/.cache/holdfact"),
        ),
    ],
)
def test_linux_follows_xdg_and_ignores_relative_paths(
    environ: dict[str, str], expected: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert expected == places.home_folder(environ)


@pytest.mark.requirement("SPEC-CORE-10")
def test_macos_uses_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    support = "/h/Library/Application Support/holdfact"
    expected = (support, support + "/state", "/h/Library/Caches/holdfact")
    assert expected == places.home_folder({"HOME": "/h"})


@pytest.mark.parametrize("value", ["relative", "~/x", "/x\0"])
def test_a_home_that_is_not_absolute_is_refused(value: str) -> None:
    with pytest.raises(ConfigError, match="must be an absolute path") as caught:
        places.home_folder({"HOLDFACT_HOME": value})
    assert "HOLDFACT_HOME" in caught.value.hint


@pytest.mark.requirement("SPEC-CORE-11")
def test_without_any_home_the_error_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="there is no home folder") as caught:
        places.home_folder({"HOME": "relative"})
    assert "HOLDFACT_HOME" in caught.value.hint

    def nobody(_uid: int) -> None:
        raise KeyError

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    with pytest.raises(ConfigError, match="there is no home folder"):
        places.home_folder({})


def test_the_account_s_home_stands_in_for_the_variable() -> None:
    assert places.user_folder({}) == os.path.normpath(pwd.getpwuid(os.getuid()).pw_dir)


def test_the_process_environment_is_the_default(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFACT_HOME", "/x")
    monkeypatch.setenv("HOME", str(place.root))
    assert places.home_folder().config == "/x"
    with pytest.raises(UsageError, match="is your home folder"):
        places.project_root(str(place.root))


@pytest.mark.requirement("SPEC-CORE-12")
def test_the_root_is_the_top_of_the_working_tree(place: Place, git: Callable[..., str]) -> None:
    git(place.root, "init")
    git(place.root, "commit", "--allow-empty", "-m", "x")
    deep = place.root / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "holdfact.toml").touch()
    (place.root.parent / "link").symlink_to(deep)
    other = place.root.parent / "worktree"
    git(place.root, "worktree", "add", str(other))
    (other / "c").mkdir()

    def root(path: Path) -> str:
        return places.project_root(str(path), place.environ)

    assert root(deep) == str(place.root)
    assert root(place.root.parent / "link") == str(place.root)
    assert root(other / "c") == str(other)


@pytest.mark.requirement("SPEC-CORE-12")
def test_without_git_the_nearest_holdfact_toml_or_the_folder_itself(place: Place) -> None:
    deep = place.root / "a" / "b"
    deep.mkdir(parents=True)
    (place.root / ".git").mkdir()  # empty: no repository
    assert places.project_root(str(deep), place.environ) == str(deep)
    (place.root / "holdfact.toml").touch()
    assert places.project_root(str(deep), place.environ) == str(place.root)


@pytest.mark.requirement("SPEC-CORE-13")
def test_wide_folders_are_refused(place: Place, git: Callable[..., str]) -> None:
    user = place.root.parent / "user"
    with pytest.raises(UsageError, match="/ is the root of the file system") as caught:
        places.project_root("/", place.environ)
    assert "-C" in caught.value.hint
    assert "git init" not in caught.value.hint
    with pytest.raises(UsageError, match="is your home folder") as caught:
        places.project_root(str(user), place.environ)
    assert "git init" not in caught.value.hint  # it would make all of it one project
    git(user, "init")
    (user / "x").mkdir()
    with pytest.raises(UsageError, match="is your home folder") as caught:
        places.project_root(str(user / "x"), place.environ)
    assert f"make {user}/x a project" in caught.value.hint


def test_a_start_that_is_no_folder_is_a_usage_error(place: Place) -> None:
    (place.root / "file").touch()
    with pytest.raises(UsageError, match="does not exist"):
        places.project_root(str(place.root / "gone"), place.environ)
    with pytest.raises(UsageError, match="is not a folder"):
        places.project_root(str(place.root / "file"), place.environ)


@pytest.mark.requirement("SPEC-CORE-14")
def test_a_state_folder_is_private_and_names_its_root(place: Place) -> None:
    home = places.home_folder(place.environ)
    folder = places.state_folder(str(place.root), home)

    assert folder == f"{home.state}/{sha256_hex(str(place.root).encode())[:16]}"
    assert folder == places.state_path(str(place.root), home)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    with open(folder + "/instance.json", encoding="utf-8") as file:
        assert file.read() == f'{{"schema": 1, "root": "{place.root}"}}\n'
    os.chmod(folder, 0o755)  # noqa: S103 - the wrong mode that must be mended
    assert folder == places.state_folder(str(place.root), home)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700


@pytest.mark.parametrize("is_writable", [True, False])
def test_a_state_folder_that_can_not_be_mended_is_used_only_for_reading(
    place: Place,
    monkeypatch: pytest.MonkeyPatch,
    is_writable: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    folder = places.state_folder(str(place.root), home := places.home_folder(place.environ))

    def refuse(path: str) -> None:
        raise FileUnwritable(f"can't make {path} private: read-only file system")

    monkeypatch.setattr(places, "make_private", refuse)
    monkeypatch.setattr(os, "access", lambda *_: is_writable)
    if is_writable:
        with pytest.raises(FileUnwritable, match="private"):
            places.state_folder(str(place.root), home)
    else:
        assert folder == places.state_folder(str(place.root), home)
    os.remove(folder + "/instance.json")
    with pytest.raises(FileUnwritable, match="private"):
        places.state_folder(str(place.root), home)


@pytest.mark.requirement("SPEC-CORE-14")
def test_a_state_folder_of_another_root_is_refused(place: Place) -> None:
    state = place.root.parent / "state"
    other = place.root.parent / 'oth"er\n'
    other.mkdir()
    places.claim_state(str(state), str(other))
    places.claim_state(str(state), str(other))
    with pytest.raises(ConfigError, match="is the state of"):
        places.claim_state(str(state), str(place.root))


@pytest.mark.requirement("SPEC-CORE-14")
def test_a_folder_that_holds_something_else_is_refused_and_left_alone(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--state /tmp`, as root, must not take `/tmp` away from everybody."""
    place.root.chmod(0o755)
    (place.root / "notes.txt").touch()
    with pytest.raises(ConfigError, match="holds something else"):
        places.claim_state(str(place.root), str(place.root))
    (place.root / "instance.json").write_text('{"root": "/other"}', encoding="utf-8")
    with pytest.raises(ConfigError, match="is the state of /other"):
        places.claim_state(str(place.root), str(place.root))
    assert stat.S_IMODE(place.root.stat().st_mode) == 0o755

    def refuse(_path: str) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", refuse)
    with pytest.raises(ConfigError, match="can't list"):
        places.claim_state(str(place.root), str(place.root))


@pytest.mark.requirement("SPEC-CORE-14")
@pytest.mark.parametrize("name", ["plain", "a\nb", 'a"b', "a\\b", "ü", "\udcff"])
def test_the_name_of_any_root_is_json(place: Place, name: str) -> None:
    root, state = str(place.root.parent / name), place.root.parent / "state"
    places.claim_state(str(state), root)
    text = (state / "instance.json").read_text(encoding="utf-8")
    assert {"schema": 1, "root": os.path.realpath(root)} == json.loads(text)


@pytest.mark.requirement("SPEC-CORE-14")
def test_a_claim_that_was_interrupted_is_repeated(place: Place) -> None:
    (place.root / ".holdfact-tmp-1-a").touch()
    places.claim_state(str(place.root), str(place.root))
    assert (place.root / "instance.json").is_file()


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 1}', "{"])
def test_a_damaged_instance_file_is_refused(place: Place, text: str) -> None:
    (place.root / "instance.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="does not name a project"):
        places.claim_state(str(place.root), str(place.root))


def test_an_instance_file_in_another_layout_or_unreadable(place: Place) -> None:
    path = place.root / "instance.json"
    path.write_text(f'{{"root":"{place.root}"}}', encoding="utf-8")
    assert places.claim_state(str(place.root), str(place.root)) == str(place.root)
    path.unlink()
    path.mkdir()
    with pytest.raises(ConfigError, match="not a regular file"):
        places.claim_state(str(place.root), str(place.root))


def test_a_working_directory_that_is_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match="does not exist any more"):
        places.project_root(".")
