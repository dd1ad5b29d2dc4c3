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


@pytest.mark.parametrize("data", [b"", b"1", b"1234", b"12345", b"123456", b"x" * 3_000_000])
@pytest.mark.parametrize("limit", [1, 4, 5, 6, 2_999_999, 3_000_000])
def test_a_limit_is_the_most_bytes_that_are_read(tmp_path: Path, data: bytes, limit: int) -> None:
    path = str(tmp_path / "a")
    (tmp_path / "a").write_bytes(data)
    assert data[:limit] == files.read_prefix(path, limit)
    if len(data) <= limit:
        assert data == files.read_bounded(path, limit)
    else:
        with pytest.raises(FileTooLarge, match=f"has {len(data)} bytes; the limit is {limit}"):
            files.read_bounded(path, limit)


def test_reading_and_writing_leave_no_file_open(tmp_path: Path) -> None:
    """A program that runs for days opens files for every question."""
    path, gone = str(tmp_path / "a"), str(tmp_path / "gone" / "a")
    before = sorted(os.listdir("/dev/fd"))
    files.write_atomic(path, b"12345")
    files.read_bounded(path, 5)
    files.read_prefix(path, 5)
    files.make_folder(str(tmp_path / "b"))
    files.rename_durable(path, path + "2")
    for refused in (
        lambda: files.read_bounded(path + "2", 4),
        lambda: files.read_bounded(str(tmp_path), 4),
        lambda: files.read_prefix(str(tmp_path), 4),
        lambda: files.write_atomic(path + "2", b"", replace=False),
        lambda: files.write_atomic(gone, b""),
    ):
        with pytest.raises((FileUnreadable, FileUnwritable)):
            refused()
    files.remove_durable(path + "2")
    assert before == sorted(os.listdir("/dev/fd"))


def test_what_is_no_file_is_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(FileUnreadable, match="not a regular file"):
            files.read_bounded(str(tmp_path / name), 5)
        with pytest.raises(FileUnreadable, match="not a regular file"):
            files.read_prefix(str(tmp_path / name), 5)
    for read in (files.read_bounded, files.read_prefix):
        with pytest.raises(FileUnreadable, match="gone: no such file or directory"):
            read(str(tmp_path / "gone"), 5)
        with pytest.raises(FileUnreadable, match="null byte"):
            read("a\0b", 5)


def test_a_file_that_grows_or_fails_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    for grown in (b"x" * 10, b"x" * 1_000):
        rest = [grown]

        def more(_fd: int, count: int, rest: list[bytes] = rest) -> bytes:
            piece, rest[0] = rest[0][:count], rest[0][count:]
            return piece

        with monkeypatch.context() as patched:
            patched.setattr(os, "read", more)
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


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.ENOENT, "No such file"), "no such file"),
        (OSError("Told as text"), "Told as text"),
        (ValueError("embedded null byte"), "embedded null byte"),
    ],
)
def test_the_reason_is_what_the_system_said(error: Exception, reason: str) -> None:
    assert reason == files.reason_of(error)


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
def test_an_absolute_path_is_refused_even_inside(tmp_path: Path) -> None:
    """What a project's file names must hold on every machine that the project is cloned to."""
    (tmp_path / "a").touch()
    for path in (str(tmp_path), str(tmp_path / "a")):
        with pytest.raises(ConfinementError, match="is not a relative path"):
            files.confine(path, str(tmp_path))


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


@pytest.mark.requirement("SPEC-CORE-14")
@pytest.mark.parametrize("mode", [0o700, 0o701, 0o710, 0o704, 0o740, 0o777])
def test_a_private_folder_is_open_to_nobody_else(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)
    files.make_private(str(tmp_path))
    assert 0o700 == stat.S_IMODE(tmp_path.stat().st_mode)


def test_what_is_private_already_is_not_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder on a read-only disk can be used as long as nobody else can look into it."""
    tmp_path.chmod(0o500)
    monkeypatch.setattr(os, "chmod", failing("chmod", errno.EROFS))
    files.make_private(str(tmp_path))
    assert 0o500 == stat.S_IMODE(tmp_path.stat().st_mode)


def test_a_folder_of_others_can_not_be_made_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    files.make_private(str(tmp_path))
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
    with pytest.raises(FileUnwritable, match=r"can't make .* private"):
        files.make_private(str(tmp_path / "gone"))
