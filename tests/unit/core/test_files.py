"""Files: whole, bounded, private, confined."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest

from holdfact.core import clock, files
from holdfact.core.errors import ConfinementError, FileTooLarge, FileUnreadable, FileUnwritable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def failing(name: str, number: int) -> Callable[..., None]:
    def fail(*_arguments: object, **_more: object) -> None:
        raise OSError(number, os.strerror(number), name)

    return fail


def test_reading_a_regular_file_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert files.read_bounded(str(path), 5) == b"12345"
    with pytest.raises(FileTooLarge, match="has 5 bytes; the limit is 4"):
        files.read_bounded(str(path), 4)


def test_what_is_no_file_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(FileUnreadable, match="not a regular file"):
            files.read_bounded(str(tmp_path / name), 5)
        with pytest.raises(FileUnreadable, match="not a regular file"):
            files.read_prefix(str(tmp_path / name), 5)
    with pytest.raises(FileUnreadable, match="no such file or directory"):
        files.read_bounded(str(tmp_path / "gone"), 5)
    with pytest.raises(FileUnreadable, match="null byte"):
        files.read_bounded("a\0b", 5)


def test_a_file_that_grows_or_fails_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    with monkeypatch.context() as patched:
        patched.setattr(os, "read", lambda _fd, count: b"x" * count)
        with pytest.raises(FileTooLarge, match="more than 9 bytes"):
            files.read_bounded(str(path), 9)
    monkeypatch.setattr(os, "read", failing("read", errno.EIO))
    with pytest.raises(FileUnreadable, match="input/output error"):
        files.read_bounded(str(path), 9)


@pytest.mark.requirement("FACT-35")
def test_a_written_file_is_whole_private_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "a"
    files.write_atomic(str(path), b"one")
    files.write_atomic(str(path), b"two", mode=0o640)

    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert ["a"] == os.listdir(tmp_path)


def test_a_bare_name_is_written_where_we_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files.write_atomic("a", b"one")
    files.rename_durable("a", "b")
    files.make_folder("x/y")
    assert {"b", "x"} == set(os.listdir(tmp_path))


def test_without_replace_an_existing_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "a"
    files.write_atomic(str(path), b"one", replace=False)
    with pytest.raises(FileUnwritable, match="file exists"):
        files.write_atomic(str(path), b"two", replace=False)
    assert path.read_bytes() == b"one"
    assert ["a"] == os.listdir(tmp_path)


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.ENOSPC, "free some disk space"),
        (errno.EDQUOT, "free some disk space"),
        (errno.EROFS, "HOLDFACT_HOME"),
        (errno.EACCES, "HOLDFACT_HOME"),
        (errno.EIO, "unchanged"),
    ],
)
def test_the_hint_of_a_failed_write_fits_its_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, hint: str
) -> None:
    monkeypatch.setattr(os, "write", failing("write", number))
    with pytest.raises(FileUnwritable, match=f"can't write a in {tmp_path}") as caught:
        files.write_atomic(str(tmp_path / "a"), b"x")
    assert hint in caught.value.hint
    assert [] == os.listdir(tmp_path)


def test_an_error_after_the_change_says_that_it_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "a")
    monkeypatch.setattr(files, "fsync_folder", failing("fsync", errno.EIO))
    with pytest.raises(FileUnwritable, match=r"a was written, but .* can't be synced"):
        files.write_atomic(path, b"x")
    with pytest.raises(FileUnwritable, match="was renamed, but"):
        files.rename_durable(path, str(tmp_path / "b"))
    with pytest.raises(FileUnwritable, match="was deleted, but") as caught:
        files.remove_durable(str(tmp_path / "b"))
    assert "repeat" in caught.value.hint


def test_a_path_that_is_none_is_a_typed_error(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone" / "x")
    for path in ("a\0b", gone):
        with pytest.raises(FileUnwritable):
            files.write_atomic(path, b"")
        with pytest.raises(FileUnwritable, match="can't delete"):
            files.remove_durable(path)
        with pytest.raises(FileUnwritable, match="can't rename"):
            files.rename_durable(path, path)


def test_a_rename_stays_in_its_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not in the same folder"):
        files.rename_durable(str(tmp_path / "a"), str(tmp_path / "x" / "a"))


def test_when_even_cleaning_up_fails_the_first_error_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "write", failing("write", errno.ENOSPC))
    monkeypatch.setattr(os, "unlink", failing("unlink", errno.EIO))
    with pytest.raises(FileUnwritable, match="no space left"):
        files.write_atomic(str(tmp_path / "a"), b"x")
    assert [True] == [files.is_temporary_name(name) for name in os.listdir(tmp_path)]
    assert not files.is_temporary_name("a")


def test_folders_are_made_with_their_parents_and_private(tmp_path: Path) -> None:
    files.make_folder(str(tmp_path / "a" / "b"))
    files.make_folder(str(tmp_path / "a" / "b"))
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700
    (tmp_path / "file").touch()
    with pytest.raises(FileUnwritable, match="can't create"):
        files.make_folder(str(tmp_path / "file"))
    with pytest.raises(FileUnwritable, match="can't create"):
        files.make_folder(str(tmp_path / "file" / "x"))


def test_a_folder_that_another_process_makes_meanwhile_is_fine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    mkdir = os.mkdir

    def twice(name: str, mode: int) -> None:
        mkdir(name, mode)
        mkdir(name, mode)

    monkeypatch.setattr(os, "mkdir", twice)
    files.make_folder(str(path))
    assert path.is_dir()


@pytest.mark.requirement("SPEC-CORE-25")
@pytest.mark.parametrize(
    "path", ["", "/etc", "..", "../x", "a/../../x", "a\0b", "a\ud800", "out/x", "out", "loop/../.."]
)
def test_paths_that_lead_out_are_refused(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    (root / "loop").symlink_to("loop")
    with pytest.raises(ConfinementError):
        files.confine(path, str(root))


@pytest.mark.requirement("SPEC-CORE-25")
def test_refused_text_never_reaches_the_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "lstat", failing("lstat", errno.EIO))
    for path in ("", "/etc", "../x", "a\0b"):
        with pytest.raises(ConfinementError):
            files.confine(path, "/nowhere")


@pytest.mark.requirement("SPEC-CORE-25")
@pytest.mark.parametrize(
    ("path", "expected"),
    [("a", "a"), ("a/../b", "b"), ("in/x", "real/x"), (".", "."), ("..a", "..a")],
)
def test_paths_inside_become_absolute(tmp_path: Path, path: str, expected: str) -> None:
    root = (tmp_path / "root").resolve()
    (root / "real").mkdir(parents=True)
    (root / "in").symlink_to("real")
    (tmp_path / "link").symlink_to(root)
    assert str(root / expected) == files.confine(path, str(root))
    assert str(root / expected) == files.confine(path, str(tmp_path / "link"))
    assert files.confine("etc", "/") == os.path.realpath("/etc")


@pytest.mark.requirement("SPEC-CORE-22")
def test_what_a_killed_writer_left_is_removed_when_it_is_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, young, other = ".holdfact-tmp-1-a", ".holdfact-tmp-2-b", "a.md"
    for name in (old, young, other, ".holdfact-tmp-link"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (100, 2_000 if name == young else 100))
    (tmp_path / ".holdfact-tmp-folder").mkdir()
    os.utime(tmp_path / ".holdfact-tmp-folder", (100, 100))
    (tmp_path / ".holdfact-tmp-link").unlink()
    (tmp_path / ".holdfact-tmp-link").symlink_to(other)  # its own time is now
    monkeypatch.setattr(clock, "now", lambda: 5_000.0)
    files.remove_leftovers(str(tmp_path))
    left = {young, other, ".holdfact-tmp-link", ".holdfact-tmp-folder"}
    assert left == set(os.listdir(tmp_path))
    files.remove_leftovers(str(tmp_path / "gone"))


def test_on_macos_the_drive_s_own_cache_is_flushed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.setattr("fcntl.F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr("fcntl.fcntl", lambda _fd, command: asked.append(command))
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", failing("fsync", errno.EIO))
        files.write_atomic(str(tmp_path / "a"), b"x")
    assert [51, 51] == asked

    monkeypatch.setattr("fcntl.fcntl", failing("fcntl", errno.ENOTSUP))
    monkeypatch.setattr(os, "fsync", asked.append)
    files.write_atomic(str(tmp_path / "a"), b"y")
    assert 4 == len(asked)


def test_an_empty_folder_in_one_that_may_not_be_read_is_fine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.setattr(files, "fsync_folder", failing("open", errno.EACCES))
    files.make_folder(str(tmp_path / "a"))
    monkeypatch.setattr(files, "fsync_folder", failing("fsync", errno.EIO))
    with pytest.raises(FileUnwritable, match="input/output error"):
        files.make_folder(str(tmp_path / "a"))
    monkeypatch.setattr(os, "scandir", failing("scandir", errno.EACCES))
    files.make_folder(str(tmp_path / "a"))


def test_a_folder_of_others_can_not_be_made_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    files.make_private(str(tmp_path))
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    with pytest.raises(FileUnwritable, match=r"can't make .* private"):
        files.make_private(str(tmp_path / "gone"))
