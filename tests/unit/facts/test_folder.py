"""Which files are facts, and what becomes of those that are none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfact.core.errors import FactUnreadable
from holdfact.core.files import read_bounded
from holdfact.facts import Scope, folder
from holdfact.facts.folder import FactFolder

FACT = b"---\ndescription: d\n---\n"


def _look(tmp_path: Path) -> tuple[list[str], dict[str, str]]:
    problems: list[folder.Problem] = []
    names = [file.name for file in FactFolder(Scope.GLOBAL, str(tmp_path)).files(problems)]
    return names, {os.path.basename(problem.path): problem.reason for problem in problems}


@pytest.mark.requirement("SPEC-FACT-17", "FACT-06")
def test_reserved_and_unfinished_names_are_no_facts(tmp_path: Path) -> None:
    reserved = ("MEMORY.md", "MEMORY.md.bak", "MEMORY.md.v1.bak.md", ".holdfact-tmp-1-x.md")
    others = (".md", "a.MD", "a.md.tmp", "a.txt", "a", "b.md~")
    for name in (*reserved, *others, "b.md"):
        (tmp_path / name).write_bytes(FACT)
    assert (["b"], {}) == _look(tmp_path)


@pytest.mark.requirement("SPEC-FACT-18")
def test_a_missing_folder_is_empty(tmp_path: Path) -> None:
    assert ([], {}) == _look(tmp_path / "no" / "such")
    assert [] == FactFolder(Scope.GLOBAL, str(tmp_path / "none")).stamps()


@pytest.mark.requirement("SPEC-FACT-18")
def test_a_folder_that_cannot_be_listed_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "memory").write_bytes(b"a file is in the way")
    assert ([], {"memory": "can't list the folder: Not a directory"}) == _look(tmp_path / "memory")


@pytest.mark.requirement("SPEC-FACT-18")
def test_one_bad_file_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "MAX_FACT_READ_BYTES", 100)
    (tmp_path / "a.md").write_bytes(FACT)
    (tmp_path / "broken.md").write_bytes(b"no header")
    (tmp_path / "huge.md").write_bytes(FACT + b"x" * 100)
    (tmp_path / "latin.md").write_bytes(FACT + b"caf\xe9")
    (tmp_path / "Not a Slug.md").write_bytes(FACT)
    (tmp_path / "folder.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    names, problems = _look(tmp_path)
    assert ["Not a Slug", "a", "latin"] == names
    expected = {
        "broken.md": "the frontmatter is missing: its first line must be ---",
        "huge.md": "has 123 bytes; the limit is 100",
        "latin.md": "not UTF-8",
        "Not a Slug.md": "can't be asked for by id: rename it",
        "folder.md": "not a regular file",
        "pipe.md": "not a regular file",
    }
    assert set(expected) == set(problems)
    for name, reason in expected.items():
        assert reason in problems[name]


@pytest.mark.requirement("SPEC-FACT-19")
def test_links_are_followed_only_inside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_bytes(FACT)
    inside = tmp_path / "memory"
    (inside / "deep").mkdir(parents=True)
    (inside / "deep" / "real.md").write_bytes(FACT)
    (inside / "a.md").write_bytes(FACT)
    targets = {
        "near": "a.md",
        "deep": "deep/real.md",
        "out": "../secret.md",
        "absolute": str(tmp_path / "secret.md"),
        "dangling": "gone.md",
        "loop": "loop.md",
        "self": ".",
    }
    for name, target in targets.items():
        (inside / f"{name}.md").symlink_to(target)
    names, problems = _look(inside)
    assert ["a", "deep", "near"] == names
    assert {"out.md", "absolute.md", "dangling.md", "loop.md", "self.md"} == set(problems)
    assert "leads out" in problems["out.md"]
    assert "leads nowhere" in problems["dangling.md"]
    facts = FactFolder(Scope.GLOBAL, str(inside))
    assert ["global/a", "global/deep", "global/near"] == [stamp.id for stamp in facts.stamps()]
    assert FACT == facts.read("near").data
    with pytest.raises(FactUnreadable, match=r"out\.md: a symbolic link that leads out"):
        facts.read("out")


@pytest.mark.requirement("SPEC-FACT-19")
@pytest.mark.parametrize("has_link", [False, True])
def test_a_link_that_takes_a_file_s_place_while_it_is_read_leads_nowhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has_link: bool,  # noqa: FBT001 - a table's column
) -> None:
    (tmp_path / "secret.md").write_bytes(FACT)
    inside = tmp_path / "memory"
    inside.mkdir()
    (inside / "a.md").write_bytes(FACT)
    if has_link:
        (inside / "a.md").rename(inside / "real")
        (inside / "a.md").symlink_to("real")

    def swapped(path: str, limit: int, *, follow: bool = True) -> bytes:
        Path(path).unlink()
        Path(path).symlink_to(tmp_path / "secret.md")
        return read_bounded(path, limit, follow=follow)

    monkeypatch.setattr(folder, "read_bounded", swapped)
    with pytest.raises(FactUnreadable, match="symbolic links"):
        FactFolder(Scope.GLOBAL, str(inside)).read("a")


def test_a_folder_may_itself_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").write_bytes(FACT)
    (tmp_path / "real" / "b.md").symlink_to("a.md")
    (tmp_path / "memory").symlink_to("real")
    assert (["a", "b"], {}) == _look(tmp_path / "memory")


@pytest.mark.requirement("FACT-26")
def test_names_come_in_byte_order(tmp_path: Path) -> None:
    names = ["a-b", "a", "ab", "B", "\uffee", "\U00010000", "a-"]
    for name in names:
        (tmp_path / f"{name}.md").write_bytes(FACT)
    assert sorted(names, key=str.encode) == _look(tmp_path)[0]


@pytest.mark.requirement("SPEC-FACT-20")
def test_stamps_tell_what_changed_without_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_bytes(b"malformed, but it can change")
    (tmp_path / "folder.md").mkdir()
    monkeypatch.setattr(folder, "read_bounded", lambda *_: pytest.fail("a file was read"))
    (stamp,) = FactFolder(Scope.GLOBAL, str(tmp_path)).stamps()
    status = (tmp_path / "a.md").stat()
    expected = (
        "global/a",
        str(tmp_path / "a.md"),
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
    )
    assert expected == stamp


def test_a_file_that_vanishes_meanwhile_has_no_stamp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Vanished:
        name, path = "a.md", str(tmp_path / "a.md")

        def stat(self) -> None:
            raise FileNotFoundError

    facts = FactFolder(Scope.GLOBAL, str(tmp_path))
    monkeypatch.setattr(FactFolder, "_entries", lambda *_: [(Vanished(), "")])
    assert [] == facts.stamps()
