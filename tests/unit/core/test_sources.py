"""Which files are documents, and which were passed over and why."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from holdfact.core import git as git_module
from holdfact.core import sources, sources_ignored
from holdfact.core.errors import (
    ConfigValueInvalid,
    ConfinementError,
    FileUnreadable,
    SourceUnreadable,
)
from holdfact.core.sources import SourceFile, Sources, find_sources, read_source
from holdfact.core.types import Skip

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Git = Callable[..., str]

LEAVES = "a symbolic link that leads out of the project"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return (tmp_path / "root").resolve()


def fill(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path, encoding="utf-8")


def find(
    root: Path, *exclude: str, patterns: tuple[str, ...] = ("**/*.md",), listed: bool = True
) -> Sources:
    return find_sources(str(root), patterns, exclude, max_file_bytes=1_000, list_ignored=listed)


def paths(found: Sources) -> list[str]:
    return [file.path for file in found.files]


@pytest.mark.requirement("SPEC-CORE-16")
def test_files_that_match_in_order_with_their_stamps(root: Path) -> None:
    fill(root, "b.md", "a/z.md", "a.txt", ".github/x.md", "a/deep/er/ä b.md")
    found = find(root)

    assert [".github/x.md", "a/deep/er/ä b.md", "a/z.md", "b.md"] == paths(found)
    assert ([], True) == (found.skipped, found.ignore_known)
    status = (root / "b.md").stat()
    expected = SourceFile("b.md", 4, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    assert expected == found.files[-1]


@pytest.mark.requirement("SPEC-CORE-16")
def test_exclusions_are_left_out_and_not_listed(root: Path) -> None:
    fill(root, "a.md", "drafts/x.md", "b/drafts/y.md", "b/c.md", "c.md")
    (root / "link.md").symlink_to("drafts/x.md")
    found = find(root, "drafts", "**/c.md")
    assert ["a.md", "b/drafts/y.md"] == paths(found)
    assert [Skip("link.md", "leads to a file that is left out")] == found.skipped


@pytest.mark.requirement("SPEC-CORE-16")
def test_an_excluded_folder_is_not_even_looked_into(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who excludes a folder wants to hear nothing of it, whatever is wrong in there."""
    git(root, "init")
    fill(root, "a.md", "vendor/clone/b.md", "vendor/closed/c.md", "closed/d.md")
    git(root / "vendor" / "clone", "init")
    refuse_to_list(monkeypatch, "closed/")
    found = find(root, "vendor", "closed/")
    assert (["a.md"], []) == (paths(found), found.skipped)


@pytest.mark.requirement("SPEC-CORE-16", "SPEC-CORE-18")
@pytest.mark.parametrize("exclude", [(), ("drafts",), ("drafts", "**/x.md")])
def test_exclusions_touch_nothing_but_what_they_name(root: Path, exclude: tuple[str, ...]) -> None:
    fill(root, "a.md", "b/c.md", "plain.txt", "drafts2/d.md", "drafts.md")
    (root / "link.md").symlink_to("plain.txt")
    before = sorted(os.listdir("/dev/fd"))
    found = find(root, *exclude)
    assert ["a.md", "b/c.md", "drafts.md", "drafts2/d.md", "link.md"] == paths(found)
    assert [] == found.skipped
    assert before == sorted(os.listdir("/dev/fd"))


@pytest.mark.requirement("SPEC-CORE-16")
def test_tool_folders_caches_and_virtual_environments_are_left_out(root: Path) -> None:
    fill(root, *(f"x/{name}/a.md" for name in sources.TOOL_FOLDERS))
    fill(root, "env/pyvenv.cfg", "env/a.md", "c/CACHEDIR.TAG", "c/d/a.md", "ok/a.md")
    fill(root, "pyvenv.cfg", "CACHEDIR.TAG")
    (root / "node_modules").symlink_to(root.parent)
    found = find(root)
    assert ["ok/a.md"] == paths(found)
    assert [] == found.skipped


@pytest.mark.requirement("SPEC-CORE-16", "SPEC-CORE-17")
def test_git_decides_what_is_ignored(root: Path, git: Git) -> None:
    git(root, "init")
    fill(root, "a.md", "no.md", "out/x/y.md", "out/z.txt", "sub/no.md", "sub/yes.md", "kept.md")
    (root / ".gitignore").write_text("no.md\nout/\nkept.md\n", encoding="utf-8")
    git(root, "add", "-f", "kept.md")
    found = find(root)

    assert ["a.md", "kept.md", "sub/yes.md"] == paths(found)
    expected = [Skip(path, "ignored by git") for path in ("no.md", "out/x/y.md", "sub/no.md")]
    assert expected == found.skipped
    assert found.ignore_known
    assert [] == find(root, listed=False).skipped
    assert paths(found) == paths(find(root, listed=False))


@pytest.mark.requirement("SPEC-CORE-17")
@pytest.mark.parametrize(
    ("exclude", "listed"),
    [
        ((), ["out/a.md", "out/private/b.md"]),
        (("docs",), ["out/a.md", "out/private/b.md"]),
        (("out/private",), ["out/a.md"]),
        (("**/*.md",), []),
        (("out/",), []),
    ],
)
def test_of_what_is_ignored_only_what_would_be_a_document_is_listed(
    root: Path, git: Git, exclude: tuple[str, ...], listed: list[str]
) -> None:
    git(root, "init")
    fill(root, "out/a.md", "out/a.txt", "out/private/b.md", "out/node_modules/c.md")
    (root / ".gitignore").write_text("out/\n", encoding="utf-8")
    found = find(root, *exclude)
    assert ([], [Skip(path, "ignored by git") for path in listed]) == (found.files, found.skipped)


@pytest.mark.requirement("SPEC-CORE-17")
def test_a_flood_of_ignored_files_is_cut(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(root, "init")
    fill(root, *(f"out/{number:02}.md" for number in range(40)), "out/node_modules/x.md")
    fill(root, "few/a.md", "few/b/c.md", "few/node_modules/x.md")
    (root / ".gitignore").write_text("out/\nfew/\n", encoding="utf-8")
    skipped = find(root).skipped

    cut = Skip("out/", "ignored by git; not everything in it is listed")
    assert cut in skipped
    assert len([skip for skip in skipped if skip.path.startswith("out/")]) == 21
    assert len([skip for skip in skipped if skip.path.startswith("few/")]) == 2
    monkeypatch.setattr(sources_ignored, "MAX_IGNORED_ENTRIES_SEEN", 5)
    assert cut in find(root).skipped


def test_an_ignored_folder_that_can_not_be_listed_is_no_error(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(root, "init")
    fill(root, "a.md", "out/x.md")
    (root / ".gitignore").write_text("out/\n", encoding="utf-8")
    refuse_to_list(monkeypatch, "out/")
    assert (["a.md"], []) == (paths(find(root)), find(root).skipped)


def test_a_root_that_is_ignored_as_a_whole_says_so(root: Path, git: Git) -> None:
    git(root, "init")
    fill(root, "out/x.md")
    (root / ".gitignore").write_text("out/\n", encoding="utf-8")
    assert ([], [Skip("./", "ignored by git")]) == find(root / "out")[:2]


@pytest.mark.requirement("SPEC-CORE-16")
def test_without_git_nothing_counts_as_ignored_and_that_is_said(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(root, "init")
    fill(root, "a.md", "no.md")
    (root / ".gitignore").write_text("no.md\n", encoding="utf-8")
    monkeypatch.setenv("PATH", str(root))
    found = find(root)
    assert (["a.md", "no.md"], False) == (paths(found), found.ignore_known)


@pytest.mark.requirement("SPEC-CORE-16")
def test_outside_a_repository_git_is_not_asked(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(root, "a.md", "clone/b.md")
    git(root / "clone", "init")

    def run(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(git_module, "run", run)
    assert ["a.md", "clone/b.md"] == paths(find(root))


@pytest.mark.requirement("SPEC-CORE-16")
def test_another_repository_is_another_project_and_a_submodule_is_not(
    root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = root.parent / "library"
    fill(library, "s.md", "gen/no.md")
    (library / ".gitignore").write_text("gen/\n", encoding="utf-8")
    git(root.parent, "init", "library")
    git(library, "add", ".")
    git(library, "commit", "-m", "x")
    git(root, "init")
    fill(root, "a.md", "clone/b.md", "fake/c.md", "fake/.git")
    git(root / "clone", "init")
    git(root, "submodule", "add", str(library), "lib")
    fill(root, "lib/gen/no.md")
    git(root, "commit", "-m", "x")
    git(root, "worktree", "add", "tree")
    found = find(root)

    assert ["a.md", "fake/c.md", "lib/s.md"] == paths(found)
    expected = [
        Skip("clone/", "another git repository"),
        Skip("lib/gen/no.md", "ignored by git"),
        Skip("tree/", "another git repository"),
    ]
    assert expected == found.skipped
    monkeypatch.setattr(sources_ignored, "MAX_SUBMODULES", 0)
    assert Skip("lib/", "too many submodules") in find(root).skipped


@pytest.mark.requirement("SPEC-CORE-18")
def test_each_real_file_is_found_once_under_its_own_name(root: Path) -> None:
    fill(root, "b/real.md", "plain.txt")
    (root / "a.md").symlink_to("b/real.md")
    (root / "c").symlink_to("b")
    (root / "b" / "up").symlink_to("..")
    (root / "self").symlink_to(root)
    (root / "y.md").symlink_to("plain.txt")
    (root / "x.md").symlink_to("plain.txt")
    os.link(root / "b" / "real.md", root / "hard.md")
    found = find(root)

    assert ["b/real.md", "x.md"] == paths(found)
    assert [] == found.skipped
    assert (root / "plain.txt").stat().st_size == found.files[1].size


@pytest.mark.requirement("SPEC-CORE-17", "SPEC-CORE-25")
def test_links_that_leave_lead_nowhere_or_to_what_is_left_out(root: Path, git: Git) -> None:
    git(root, "init")
    (root / ".gitignore").write_text("no.txt\nout/\n", encoding="utf-8")
    fill(root.parent, "secret.md", "folder/x.md")
    fill(root, "no.txt", "out/x/a.txt", "node_modules/x.md")
    targets: dict[str, Path | str] = {
        "1.md": root.parent / "secret.md",
        "2": root.parent / "folder",
        "3.md": "gone.md",
        "4.md": "4.md",
        "5.md": "no.txt",
        "6.md": "out/x/a.txt",
        "7.md": "node_modules/x.md",
        "8": root.parent / "secret.md",
        "9.md": "/gone",
    }
    for name, target in targets.items():
        (root / name).symlink_to(target)
    found = find(root)

    assert [] == paths(found)
    left_out = "leads to a file that is left out"
    nowhere = "a symbolic link that leads nowhere"
    expected = [
        Skip("1.md", LEAVES),
        Skip("2/", LEAVES),
        Skip("3.md", nowhere),
        Skip("4.md", nowhere),
        Skip("5.md", left_out),
        Skip("6.md", left_out),
        Skip("7.md", left_out),
        Skip("9.md", nowhere),
    ]
    assert expected == found.skipped


@pytest.mark.requirement("SPEC-CORE-17")
def test_what_is_no_usable_file_is_listed_and_never_waited_for(root: Path) -> None:
    fill(root, "a.md", "big.md")
    (root / "big.md").write_bytes(b"x" * 1_001)
    os.mkfifo(root / "pipe.md")
    (root / "folder.md").mkdir()
    (root / "link.md").symlink_to("folder.md")
    os.mkdir(os.fsencode(root) + b"/bad\xff")
    os.close(os.open(os.fsencode(root) + b"/n\xfe.md", os.O_CREAT))
    found = find(root)

    assert ["a.md"] == paths(found)
    expected = [
        Skip("bad\\xff/", "its name is not UTF-8"),
        Skip("big.md", "too large: 1001 bytes, the limit is 1000"),
        Skip("link.md", "not a regular file"),
        Skip("n\\xfe.md", "its name is not UTF-8"),
        Skip("pipe.md", "not a regular file"),
    ]
    assert expected == found.skipped


def refuse_to_list(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    def refusing(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: str | int, *rest: int) -> Any:  # noqa: ANN401 - as the real one
            if isinstance(path, str) and path.endswith(ending):
                raise PermissionError(13, "Permission denied")
            return real(path, *rest)

        return call

    monkeypatch.setattr(os, "open", refusing(os.open))
    monkeypatch.setattr(os, "scandir", refusing(os.scandir))


@pytest.mark.requirement("SPEC-CORE-17")
def test_an_unreadable_folder_is_listed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root, "a.md", "closed/b.md")
    refuse_to_list(monkeypatch, "closed/")
    found = find(root)
    assert ["a.md"] == paths(found)
    assert [Skip("closed/", "can't be listed: permission denied")] == found.skipped


@pytest.mark.requirement("SPEC-CORE-17")
def test_a_file_that_goes_meanwhile_is_listed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(root, "a.md", "b.md")

    def removing(path: str) -> bool:
        if path == "b.md":
            (root / path).unlink()
        return True

    monkeypatch.setattr(sources, "path_matcher", lambda _patterns: removing)
    found = find(root)
    assert ["a.md"] == paths(found)
    assert [Skip("b.md", "can't be read: no such file or directory")] == found.skipped


def test_a_missing_or_unlistable_root_is_an_error(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(FileUnreadable, match=r"can't list .*gone"):
        find(root / "gone")
    refuse_to_list(monkeypatch, "root/")
    with pytest.raises(FileUnreadable, match=r"can't list .*root: Permission denied"):
        find(root)


def test_a_root_that_vanishes_or_is_replaced_is_an_error(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(root, "a.md")
    aside = root.parent / "aside"

    def replacing(_path: str) -> bool:
        root.rename(aside)
        root.mkdir()
        return True

    monkeypatch.setattr(sources, "path_matcher", lambda _patterns: replacing)
    with pytest.raises(FileUnreadable, match="was replaced while it was listed"):
        find(root)

    def vanishing(_path: str) -> bool:
        (root / "a.md").unlink()
        root.rmdir()
        return True

    fill(root, "a.md")
    monkeypatch.setattr(sources, "path_matcher", lambda _patterns: vanishing)
    with pytest.raises(FileUnreadable, match="can't list"):
        find(root)


def test_too_many_files_are_an_error_with_a_way_out(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(root, "a.md", "b.md")
    monkeypatch.setattr(sources, "MAX_SOURCE_FILES", 1)
    with pytest.raises(ConfigValueInvalid, match="more than 1 files") as caught:
        find(root)
    assert "engine.exclude" in caught.value.hint


def test_reading_gives_the_text_without_a_byte_order_mark(root: Path) -> None:
    (root / "a.md").write_bytes(b"\xef\xbb\xbf# Caf\xc3\xa9\r\n")
    assert read_source(str(root), "a.md", 100) == "# Café\r\n"
    assert read_source(str(root), find(root).files[0], 100) == "# Café\r\n"


@pytest.mark.requirement("SPEC-CORE-17")
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"a\0b", "binary"),
        (b"\x89PNG\r\n\0" + b"\xff" * 90, "binary"),
        (b"abc\xff", "not UTF-8 (byte 3)"),
        (b"x" * 101, "has 101 bytes; the limit is 100"),
        (None, "no such file or directory"),
    ],
)
def test_what_can_not_be_read_as_text_says_why(root: Path, data: bytes | None, reason: str) -> None:
    if data is not None:
        (root / "a.md").write_bytes(data)
    with pytest.raises(SourceUnreadable) as caught:
        read_source(str(root), "a.md", 100)
    assert reason in caught.value.reason
    assert caught.value.message.startswith("a.md: ")


@pytest.mark.requirement("SPEC-CORE-25")
def test_a_file_that_became_a_link_out_is_not_read(root: Path) -> None:
    fill(root.parent, "secret.md")
    fill(root, "a.md")
    file = find(root).files[0]
    (root / "a.md").unlink()
    (root / "a.md").symlink_to(root.parent / "secret.md")
    with pytest.raises(ConfinementError):
        read_source(str(root), file, 100)


def test_the_root_of_the_file_system_is_walked_like_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "scandir", lambda _path: nullcontext([]))
    assert find_sources("/", ["**/*.md"], [], max_file_bytes=9)[:2] == ([], [])


def test_a_link_that_takes_the_place_of_a_confined_file_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root.parent / "secret.md").write_text("secret", encoding="utf-8")

    def swapped(path: str, base: str) -> str:
        os.symlink(root.parent / "secret.md", root / "a.md")
        return os.path.join(base, path)

    monkeypatch.setattr(sources, "confine", swapped)
    with pytest.raises(SourceUnreadable):
        read_source(str(root), "a.md", 100)


def test_a_root_that_fails_while_it_is_listed_is_an_error(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(root, "a.md")

    def failing(_folder: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "scandir", failing)
    with pytest.raises(FileUnreadable, match=r"can't list .*root: Input/output error"):
        find(root)
