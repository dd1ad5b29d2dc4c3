"""The store: write, read, list, delete."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from holdfact.core import locks
from holdfact.core.errors import (
    ConfinementError,
    FactAmbiguous,
    FactConflict,
    FactNotFound,
    FactUnreadable,
    FileUnwritable,
    LockTimeout,
    NotAProject,
    ValueRefused,
)
from holdfact.facts import Lifecycle, Memory, Scope, SearchOptions, Store, folder, migrations
from holdfact.facts import store as store_module
from tests.unit.facts.conftest import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    Place = Callable[[Scope, str, bytes], str]

FACT = Memory("x", "d", Scope.PROJECT, "b", lifecycle=Lifecycle.DURABLE)
P, G = Scope.PROJECT, Scope.GLOBAL


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def test_a_write_removes_what_a_killed_one_left_long_ago(store: Store, place: Place) -> None:
    left = place(G, ".holdfact-tmp-1-a", b"half of a fac")
    os.utime(left, (0, 0))
    store.write(FACT._replace(scope=G))
    assert ["x.md"] == os.listdir(store.global_dir)


@pytest.mark.requirement("FACT-02")
def test_where_facts_live(store: Store, tmp_path: Path) -> None:
    assert str(tmp_path / "config" / "global" / "memory") == store.global_dir
    key = hashlib.sha256(os.path.realpath(tmp_path / "work").encode()).hexdigest()[:16]
    assert str(tmp_path / "config" / "codebases" / key / "memory") == store.project_dir
    assert not (tmp_path / "config").exists()


@pytest.mark.requirement("SPEC-FACT-21")
def test_project_facts_may_live_in_the_repository(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "config"), str(tmp_path), project_dir=".holdfact/facts")
    store.write(FACT)
    assert (tmp_path / ".holdfact" / "facts" / "x.md").is_file()
    assert ["x.md"] == os.listdir(tmp_path / ".holdfact" / "facts")
    assert [".holdfact"] == os.listdir(tmp_path)


@pytest.mark.requirement("SPEC-FACT-21")
@pytest.mark.parametrize("folder_name", ["", "..", "a/../../b", "/etc", "a\0", "link/facts"])
def test_they_stay_in_the_repository(tmp_path: Path, folder_name: str) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "link").symlink_to(tmp_path)
    with pytest.raises(ConfinementError):
        Store(str(tmp_path / "config"), str(tmp_path / "work"), project_dir=folder_name)


@pytest.mark.requirement("SPEC-FACT-21")
def test_a_folder_that_is_replaced_by_a_link_later_is_refused_too(tmp_path: Path) -> None:
    """A program that runs for days sees what each pull makes of the repository."""
    (tmp_path / "work").mkdir()
    store = Store(str(tmp_path / "config"), str(tmp_path / "work"), project_dir="facts")
    store.write(FACT)
    (tmp_path / "work" / "facts").rename(tmp_path / "elsewhere")
    (tmp_path / "work" / "facts").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfinementError):
        store.list()
    with pytest.raises(ConfinementError):
        store.write(FACT)
    with pytest.raises(ConfinementError):
        store.delete("project/x")


@pytest.mark.requirement("FACT-19", "SPEC-FACT-22")
def test_what_was_written_is_read(store: Store) -> None:
    memory = Memory("x", "d: é", G, "b\n\nc", "feedback", 'when `x` says "no"\t', Lifecycle.LEGACY)
    store.write(memory)
    path = os.path.join(store.global_dir, "x.md")
    expected = memory._replace(lifecycle=Lifecycle.CONDITIONAL, path=path)
    assert expected == store.read("global/x") == store.read("x")
    assert (expected, _digest(path)) == store.read_with_digest("x")


@pytest.mark.requirement("SPEC-FACT-23")
def test_files_and_folders_are_private_and_nothing_else_is_left(store: Store) -> None:
    store.write(FACT)
    store.write(FACT)
    assert ["x.md"] == os.listdir(store.project_dir)
    path = store.project_dir
    assert 0o600 == stat.S_IMODE(os.stat(os.path.join(path, "x.md")).st_mode)
    while path != os.path.dirname(store.config_dir):
        assert 0o700 == stat.S_IMODE(os.stat(path).st_mode)
        path = os.path.dirname(path)


@pytest.mark.requirement("FACT-26")
def test_equal_names_in_both_scopes_coexist(store: Store) -> None:
    for name, scope in (("b", G), ("b", P), ("a", G), ("c", P)):
        store.write(FACT._replace(name=name, scope=scope))
    ids = ["project/b", "project/c", "global/a", "global/b"]
    assert ids == [memory.id for memory in store.list()]
    assert ids == [stamp.id for stamp in store.stamps()]
    assert ids == [document.id for document in store.documents()]


@pytest.mark.requirement("FACT-30")
def test_a_bare_name_in_both_scopes_is_ambiguous(store: Store) -> None:
    store.write(FACT)
    store.write(FACT._replace(scope=G))
    for action in (store.read, store.delete):
        with pytest.raises(FactAmbiguous, match="project/x, global/x"):
            action("x")
    store.delete("project/x")
    assert G is store.read("x").scope


@pytest.mark.requirement("FACT-34")
def test_delete_removes_exactly_the_fact_of_the_id(store: Store) -> None:
    store.write(FACT)
    store.write(FACT._replace(name="other"))
    store.delete(f"project/{FACT.name}")
    assert ["other"] == [memory.name for memory in store.list()]
    assert ["other.md"] == os.listdir(store.project_dir)


@pytest.mark.requirement("FACT-30", "FACT-34")
@pytest.mark.parametrize("id_", ["nope", "project/nope", "global/nope"])
def test_what_is_not_there_is_reported(store: Store, id_: str) -> None:
    for action in (store.read, store.delete):
        with pytest.raises(FactNotFound, match=f"no fact {id_}"):
            action(id_)


@pytest.mark.requirement("SPEC-FACT-3")
@pytest.mark.parametrize(
    "id_", ["", "../x", "/etc/passwd", "project/../x", "x\0", "x\n", "team/x", "global/"]
)
def test_a_bad_id_is_refused_before_the_file_system_is_asked(
    store: Store, id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "_folder", lambda *_: pytest.fail("the file system was asked"))
    for action in (store.read, store.delete):
        with pytest.raises(ValueRefused):
            action(id_)
    with pytest.raises(ValueRefused):
        store.write(FACT._replace(name=id_))


@pytest.mark.requirement("SPEC-FACT-9")
def test_a_refused_write_changes_nothing(store: Store) -> None:
    with pytest.raises(ValueRefused):
        store.write(FACT._replace(description=""))
    assert not os.path.exists(store.config_dir)


@pytest.mark.requirement("SPEC-FACT-24")
def test_unknown_header_lines_are_preserved(store: Store, place: Place) -> None:
    header = (
        b"---\nname: x\ntags: [a, b]\n# note: y\ndescription: old\nno colon\ntype: reference\n---\n"
    )
    path = place(P, "x.md", header)
    store.write(FACT)
    expected = (
        b"---\nname: x\ndescription: d\nscope: project\ntype: reference\ndurable: true\n"
        b"tags: [a, b]\n# note: y\nno colon\n---\n\nb\n"
    )
    with open(path, "rb") as file:
        assert expected == file.read()
    store.write(FACT)
    assert hashlib.sha256(expected).hexdigest() == _digest(path)


@pytest.mark.requirement("FACT-33")
def test_a_type_that_is_given_wins_over_the_old_one(store: Store) -> None:
    store.write(FACT._replace(type="reference"))
    store.write(FACT)
    assert "reference" == store.read("x").type
    store.write(FACT._replace(type="project"))
    assert "project" == store.read("x").type


@pytest.mark.requirement("FACT-07")
def test_preserved_lines_count_towards_the_limit(store: Store, place: Place) -> None:
    path = place(P, "x.md", b"---\nlong: " + b"x" * 16_384 + b"\n---\n")
    before = _digest(path)
    with pytest.raises(ValueRefused, match="the limit is 16384"):
        store.write(FACT)
    assert before == _digest(path)


@pytest.mark.requirement("FACT-16")
def test_a_legacy_fact_must_declare_its_lifecycle_to_be_rewritten(
    store: Store, place: Place
) -> None:
    place(P, "x.md", b"---\ndescription: d\n---\nold\n")
    legacy = store.read("x")
    assert Lifecycle.LEGACY is legacy.lifecycle
    with pytest.raises(ValueRefused, match="declares no lifecycle"):
        store.write(legacy)
    store.write(legacy._replace(lifecycle=Lifecycle.DURABLE))
    assert Lifecycle.DURABLE is store.read("x").lifecycle


@pytest.mark.requirement("SPEC-FACT-25")
def test_if_match_prevents_a_lost_update(store: Store) -> None:
    store.write(FACT)
    memory, read_at = store.read_with_digest("x")
    store.write(memory._replace(body="mine"), if_match=read_at.upper())
    with pytest.raises(FactConflict, match=f"expected sha256 {read_at}"):
        store.write(memory._replace(body="theirs"), if_match=read_at)
    assert "mine" == store.read("x").body


@pytest.mark.requirement("SPEC-FACT-25")
def test_if_match_on_a_fact_that_is_gone_is_a_conflict(store: Store, place: Place) -> None:
    with pytest.raises(FactConflict, match="no readable file"):
        store.write(FACT, if_match="0" * 64)
    path = place(P, "x.md", b"no fact")
    with pytest.raises(FactConflict, match="no readable file"):
        store.write(FACT, if_match=_digest(path))


@pytest.mark.requirement("SPEC-FACT-25")
def test_if_match_guards_a_delete(store: Store, place: Place) -> None:
    store.write(FACT)
    read_at = store.read_with_digest("x")[1]
    store.write(FACT._replace(body="changed"))
    with pytest.raises(FactConflict, match=f"project/x changed .* expected sha256 {read_at}"):
        store.delete("x", if_match=read_at)
    assert "changed" == store.read("x").body
    store.delete("x", if_match=store.read_with_digest("x")[1])
    assert [] == store.list()
    path = place(P, "x.md", b"no fact")
    with pytest.raises(FactConflict, match="no readable file"):
        store.delete("x", if_match=_digest(path))


@pytest.mark.requirement("SPEC-FACT-26")
def test_writers_of_a_folder_wait_for_each_other(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write(FACT)
    monkeypatch.setattr(store_module, "FACT_LOCK_TIMEOUT_S", 0.0)
    with locks.folder_locked(store.project_dir, timeout_s=0):
        for action in (lambda: store.write(FACT), lambda: store.delete("x")):
            with pytest.raises(LockTimeout):
                action()
        store.write(FACT._replace(scope=G))
        assert "b" == store.read("project/x").body


def test_a_fact_that_was_deleted_while_waiting_is_not_found(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write(FACT)
    answers = iter([True, False])
    monkeypatch.setattr(folder.FactFolder, "holds", lambda *_: next(answers))
    with pytest.raises(FactNotFound):
        store.delete("project/x")


@pytest.mark.requirement("SPEC-FACT-18")
def test_an_unreadable_fact_says_why_and_can_be_replaced_or_deleted(
    store: Store, place: Place
) -> None:
    path = place(P, "x.md", b"no fact")
    with pytest.raises(FactUnreadable, match="frontmatter is missing"):
        store.read("x")
    assert "could not be read as a fact and was replaced" in store.write(FACT)
    place(P, "x.md", b"no fact")
    store.delete("x")
    assert not os.path.exists(path)


@pytest.mark.requirement("SPEC-FACT-19")
@pytest.mark.requirement("SPEC-FACT-18")
def test_a_folder_that_can_t_be_looked_into_does_not_say_that_a_fact_is_missing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write(FACT)

    def refuse(_path: str) -> list[str]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", refuse)
    for ask in (store.read, store.delete):
        with pytest.raises(FactUnreadable, match=r"can't list .*memory: Permission denied"):
            ask("project/x")
    with pytest.raises(FactUnreadable, match=r"can't list .*memory: Permission denied"):
        store.write(FACT)


def test_a_file_of_another_case_is_neither_replaced_nor_deleted(
    store: Store, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On macOS `readme.md` leads to `README.md`; other systems are made to here."""
    place(P, "README.md", b"not a fact")
    monkeypatch.setattr(os.path, "lexists", lambda _path: True)
    readme = FACT._replace(name="readme")
    with pytest.raises(ValueRefused, match="readme would replace a file of another case"):
        store.write(readme)
    with pytest.raises(FactNotFound):
        store.delete("project/readme")
    assert ["README.md"] == os.listdir(store.project_dir)


def test_a_link_is_replaced_or_deleted_itself(store: Store, place: Place, tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.write_bytes(b"---\nsecret: 1\n---\n")
    os.makedirs(store.project_dir)
    link = os.path.join(store.project_dir, "x.md")
    os.symlink(outside, link)
    store.write(FACT)
    assert not os.path.islink(link)
    with open(link, "rb") as file:
        assert b"secret" not in file.read()
    place(P, "y.md", b"---\n---\n")
    os.symlink("y.md", os.path.join(store.project_dir, "z.md"))
    store.delete("z")
    assert b"---\nsecret: 1\n---\n" == outside.read_bytes()
    assert ["x.md", "y.md"] == sorted(os.listdir(store.project_dir))


def test_what_the_file_system_refuses_is_told(store: Store, place: Place) -> None:
    os.makedirs(os.path.join(store.project_dir, "x.md"))
    with pytest.raises(FileUnwritable, match=r"x\.md"):
        store.write(FACT)
    place(P, "y.md", b"")
    assert ["x.md", "y.md"] == sorted(os.listdir(store.project_dir))


@pytest.mark.requirement("FACT-15", "SPEC-FACT-27")
def test_a_write_tells_how_full_the_index_is(store: Store) -> None:
    note = store.write(FACT)
    used = len("- project/x — d\n".encode())
    expected = f"The prompt index is 0 % full ({used} of 8192 bytes); its only fact fits."
    assert expected == note
    note = store.write(FACT._replace(name="z", description=" " + "e" * 150))
    assert note.startswith("The description is kept without")
    assert "The description has 150 bytes (limit 180)" in note
    assert "all 2 facts fit." in note


@pytest.mark.requirement("FACT-15")
def test_a_write_tells_that_its_fact_never_reaches_the_prompt(store: Store, place: Place) -> None:
    place(P, "a.md", b"---\ndescription: " + b"d" * 8_000 + b"\n---\n")
    place(G, "a.md", b"---\ndescription: " + b"d" * 8_000 + b"\n---\n")
    note = store.write(FACT._replace(name="b", description="d" * 100))
    assert "2 of 3 facts don't fit and never reach the prompt. This fact is one of them" in note
    assert "one of them" not in store.write(FACT._replace(name="0"))


@pytest.mark.requirement("FACT-15")
def test_a_write_tells_of_one_fact_that_does_not_fit(store: Store, place: Place) -> None:
    place(P, "a.md", b"---\ndescription: " + b"d" * 9_000 + b"\n---\n")
    note = store.write(Memory("b", "e", G, lifecycle=Lifecycle.DURABLE))
    assert "1 of 2 facts doesn't fit and never reaches the prompt." in note


@pytest.mark.requirement("SPEC-FACT-32")
@pytest.mark.parametrize("marker", [b"<<<<<<< HEAD", b"=======", b">>>>>>> b: x", b"||||||| c"])
def test_conflict_markers_in_a_header_are_a_problem_until_the_fact_is_written(
    store: Store, place: Place, marker: bytes
) -> None:
    path = place(P, "x.md", b"---\ndescription: d\nowner: me\n" + marker + b"\n---\n\n=======\n")
    (problem,) = store.problems()
    assert (path, True) == (problem.path, problem.reason.startswith("conflict markers"))
    assert "d" == store.read("x").description
    store.write(FACT)
    assert [] == store.problems()
    assert b"owner: me" in Path(path).read_bytes()


@pytest.mark.requirement("SPEC-FACT-18")
def test_a_survey_tells_problems_and_warnings(store: Store, place: Place) -> None:
    broken = place(P, "broken.md", b"")
    odd = place(G, "odd.md", b"---\nname: other\n---\n")
    memories, problems, warnings = store.survey()
    assert (["global/odd"], [broken], [odd]) == (
        [memory.id for memory in memories],
        [problem.path for problem in problems],
        [warning.path for warning in warnings],
    )
    assert (memories, problems) == (store.list(), store.problems())


@pytest.mark.requirement("SPEC-FACT-20")
def test_a_fact_renders_to_a_document(store: Store, place: Place) -> None:
    path = place(G, "x.md", b"---\ndescription: caf\xe9\n---\n\n\nfirst\xff\nsecond\n")
    (document,) = store.documents()
    assert (
        "global/x",
        "fact",
        path,
        "first\ufffd\nsecond",
        "",
        "x",
        "caf\ufffd",
        "global",
        6,
    ) == document
    with open(path, "rb") as file:
        assert b"first\xff\n" == file.readlines()[document.first_line - 1]


@pytest.mark.requirement("SPEC-FACT-6", "SPEC-FACT-20")
def test_a_document_of_a_file_whose_name_is_no_utf8_can_be_stored_anywhere(
    store: Store, place: Place
) -> None:
    path = place(P, "caf\udce9.md", b"---\ndescription: d\n---\n")
    (document,) = store.documents()
    assert ("project/caf\ufffd", "caf\ufffd") == (document.id, document.name)
    assert path == document.path  # it must still open the file


@pytest.mark.requirement("FACT-05", "FACT-25", "SPEC-FACT-12")
def test_the_index_and_its_frame(store: Store) -> None:
    assert ("", "") == (store.format_index(), store.frame(has_tool=True))
    store.write(FACT)
    assert "- project/x — d\n" == store.format_index()
    assert "- global/y — e\n" == store.format_index([Memory("y", "e", G)])
    assert 1 == store.index_status().facts
    block = store.frame(has_tool=False)
    assert block == store.frame(has_tool=False, index=store.prompt_index())
    assert store.project_dir in block
    assert store.global_dir in block
    assert block.endswith("\n\n- project/x — d\n")


def test_outside_a_project_there_are_the_facts_that_hold_everywhere(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "config"), None)
    assert not store.has_project
    store.write(FACT._replace(scope=G))
    assert ["global/x"] == [memory.id for memory in store.list()]
    assert "global/x" == store.read("x").id == store.documents()[0].id == store.stamps()[0].id
    assert ([], 1) == (store.problems(), store.search(SearchOptions("b")).total)
    block = store.frame(has_tool=False)
    assert (store.global_dir in block, "- global/x — d\n" in block) == (True, True)
    for ask in (
        lambda: store.write(FACT),
        lambda: store.read("project/x"),
        lambda: store.delete("project/x"),
        lambda: store.project_dir,
    ):
        with pytest.raises(NotAProject, match="global facts only"):
            ask()
    store.delete("x")
    assert [] == store.list()


@pytest.mark.requirement("FACT-31")
def test_search_covers_both_scopes(store: Store) -> None:
    store.write(FACT)
    store.write(FACT._replace(scope=G))
    assert 2 == store.search(SearchOptions("B")).total


@pytest.mark.requirement("FACT-06")
def test_no_memory_md_is_written(store: Store) -> None:
    store.write(FACT)
    store.format_index()
    found = [name for _, _, names in os.walk(store.config_dir) for name in names]
    assert ["x.md"] == found


@pytest.mark.requirement("FACT-24")
def test_making_a_store_touches_nothing(store: Store) -> None:
    assert ([], [], []) == store.survey()
    assert not os.path.exists(store.config_dir)


@pytest.mark.parametrize("verb", ["migrate", "migrate_v1_if_needed"])
def test_migrations_get_the_store(store: Store, verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, verb, lambda given: (verb, given), raising=False)
    assert (verb, store) == getattr(store, verb)()


@pytest.mark.requirement("SPEC-FACT-31")
def test_listing_opens_each_fact_once_and_asks_for_nothing_else(
    store: Store, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10):
        place(P, f"fact-{number}.md", b"---\ndescription: d\n---\ntext\n")
        place(G, f"fact-{number}.md", b"---\ndescription: d\n---\ntext\n")
    assert 20 == len(store.list())
    calls = counted(
        monkeypatch, "open", "scandir", "listdir", "stat", "lstat", "readlink", "mkdir", "unlink"
    )
    assert 20 == len(store.list())
    assert {"open": 20, "scandir": 2} == Counter(calls)
