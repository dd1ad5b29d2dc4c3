"""What a sync has to do, told from how sources look now and how they looked when they were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfact.core.errors import EngineUnavailable
from holdfact.core.sources import SourceFile
from holdfact.core.types import Skip
from holdfact.engine.plan import Look, Plan, Seen, compare, hidden_folders, is_racy, skips_of
from holdfact.engine.storage.base import Stamp

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.requirement("SPEC-ENG-05")
SECOND = 10**9
NOW = 2_000_000_000 * SECOND + 5


def seen(key: str, **changes: Any) -> Seen:  # noqa: ANN401 - parts of a look
    return Seen(key, key, 10, 100, 200, 7)._replace(**changes)


def stamp(key: str, kind: str = "document", **changes: Any) -> Stamp:  # noqa: ANN401 - parts of a stamp
    return Stamp(kind, *seen(key), 0, 1)._replace(**changes)


def look(*documents: Seen, facts: tuple[Seen, ...] = (), skipped: tuple[Skip, ...] = ()) -> Look:
    files = [SourceFile(*one[1:]) for one in documents]
    return Look(files, list(facts), list(skipped), ignore_known=True, at_ns=NOW)


def test_a_source_is_added_changed_gone_or_left_alone() -> None:
    now = look(seen("new"), seen("same"), seen("other", size=11))
    plan = compare(now, [stamp("same"), stamp("other"), stamp("old")], "/root")
    assert [("document", seen("new"))] == plan.added
    assert [("document", seen("other", size=11))] == plan.changed
    assert [("document", "old")] == plan.gone
    assert [] == plan.unsure


@pytest.mark.parametrize("part", ["size", "mtime_ns", "ctime_ns", "inode"])
@pytest.mark.parametrize("step", [-1, 1])
def test_each_part_of_a_look_shows_a_change(part: str, step: int) -> None:
    changed = seen("a")._replace(**{part: getattr(seen("a"), part) + step})
    for now in (look(changed), look(facts=(changed,))):
        kind = "document" if now.files else "fact"
        plan = compare(now, [stamp("a", kind)], "/root")
        assert Plan([], [(kind, changed)], [], []) == plan
        assert not plan.is_empty


def test_a_fact_that_moved_is_read_again() -> None:
    moved = seen("project/a", path="/new/a.md")
    plan = compare(look(facts=(moved,)), [stamp("project/a", "fact", path="/old/a.md")], "/root")
    assert [("fact", moved)] == plan.changed


def test_what_may_have_changed_unseen_is_read_again() -> None:
    plan = compare(look(seen("a"), seen("b")), [stamp("a", is_racy=1), stamp("b")], "/root")
    assert [("document", seen("a"))] == plan.changed


def test_a_fact_and_a_document_of_one_key_are_two_sources() -> None:
    now = look(seen("a"), facts=(seen("a"),))
    assert compare(now, [stamp("a"), stamp("a", "fact")], "/root").is_empty
    assert [("fact", seen("a"))] == compare(now, [stamp("a")], "/root").added
    assert [("document", "a")] == compare(look(facts=(seen("a"),)), [stamp("a")], "/root").gone


def test_a_source_that_was_passed_over_is_not_read_again_until_it_changes() -> None:
    failed = stamp("a", document=None, reason="binary")
    assert compare(look(seen("a")), [failed], "/root").is_empty
    assert 1 == len(compare(look(seen("a", size=1)), [failed], "/root").changed)


@pytest.mark.parametrize(
    ("plan", "is_empty"),
    [
        (Plan([], [], [], []), True),
        (Plan([], [], [], ["sub/a.md"]), True),
        (Plan([("fact", seen("a"))], [], [], []), False),
        (Plan([], [("fact", seen("a"))], [], []), False),
        (Plan([], [], [("fact", "a")], []), False),
    ],
)
def test_a_plan_is_empty_when_nothing_is_to_do(plan: Plan, *, is_empty: bool) -> None:
    assert plan.is_empty is is_empty


def test_what_stands_below_a_folder_that_can_not_be_listed_is_kept() -> None:
    refused = Skip("sub/", "can't be listed: permission denied")
    others = (Skip("sub", "can't be listed"), Skip("big/", "ignored"), Skip("x.md", "binary"))
    now = look(seen("a.md"), skipped=(refused, *others))
    assert ("sub/",) == hidden_folders(now)
    stamps = [stamp(key) for key in ("a.md", "sub/b.md", "sub/c/d.md", "sub2/e.md", "big/f.md")]
    plan = compare(now, stamps, "/root")
    assert ["sub/b.md", "sub/c/d.md"] == plan.unsure
    assert [("document", "sub2/e.md"), ("document", "big/f.md")] == plan.gone
    # Facts are not found by walking the root: none is kept for a folder's sake.
    assert [("fact", "sub/x")] == compare(now, [stamp("sub/x", "fact")], "/root").gone


@pytest.mark.parametrize(("many", "is_refused"), [(4, False), (5, True), (6, True)])
def test_an_empty_root_is_a_vanished_mount_where_many_were(
    tmp_path: Path, many: int, *, is_refused: bool
) -> None:
    stamps = [stamp(f"{n}.md") for n in range(many)]
    facts = [stamp(f"project/{n}", "fact") for n in range(9)]
    here = tuple(seen(f"project/{n}") for n in range(9))
    if is_refused:
        with pytest.raises(EngineUnavailable, match=f"{many} documents") as error:
            compare(look(facts=here), stamps + facts, str(tmp_path))
        assert str(tmp_path) in error.value.message
    else:
        assert many == len(compare(look(facts=here), stamps + facts, str(tmp_path)).gone)
    # One document is left, or anything else is in the folder: then the others were deleted.
    assert many - 1 == len(compare(look(seen("0.md")), stamps, str(tmp_path)).gone)
    (tmp_path / "other").write_bytes(b"")
    assert many == len(compare(look(), stamps, str(tmp_path)).gone)


@pytest.mark.parametrize(
    ("mtime_ns", "ctime_ns", "expected"),
    [
        # A file system of nanoseconds is trusted after 50 ms.
        (NOW - 50_000_001, NOW - 50_000_001, False),
        (NOW - 50_000_000, NOW - 50_000_000, False),
        (NOW - 49_999_999, NOW - 49_999_999, True),
        (NOW - 49_999_999, 1, True),
        (1, NOW - 49_999_999, True),
        # One of whole seconds after two of them.
        (2_000_000_000 * SECOND - 2 * SECOND, 1, False),
        (2_000_000_000 * SECOND - SECOND, 1, True),
        # In the future: the modification time can be set, the change time can't.
        (NOW + 1, 1, False),
        (NOW + 1, NOW, True),
        (NOW, 1, True),
        (NOW + 1, NOW - 50_000_001, False),
        (NOW + 1, NOW + 1, True),
        (1, NOW + 1, True),
    ],
)
def test_what_was_changed_shortly_before_it_was_read_may_change_unseen(
    mtime_ns: int, ctime_ns: int, *, expected: bool
) -> None:
    assert expected is is_racy(seen("a", mtime_ns=mtime_ns, ctime_ns=ctime_ns), NOW)


def test_what_was_passed_over_is_listed_once_in_order() -> None:
    skipped = (Skip("z.bin", "binary"), Skip("a.md", "binary"))
    stamps = [
        stamp("m.md", document=None, reason="not UTF-8"),
        stamp("a.md", document=None, reason="binary"),
        stamp("good.md"),
    ]
    expected = [Skip("a.md", "binary"), Skip("m.md", "not UTF-8"), Skip("z.bin", "binary")]
    assert expected == skips_of(look(skipped=skipped), stamps)


_looks = st.dictionaries(
    st.sampled_from("abcdef"), st.tuples(st.integers(0, 2), st.integers(0, 1)), max_size=6
)


@given(before=_looks, after=_looks)
def test_carrying_out_a_plan_leaves_nothing_to_do(
    before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]
) -> None:
    def sources(sizes: dict[str, tuple[int, int]]) -> list[Seen]:
        return [seen(key, size=size, inode=inode) for key, (size, inode) in sizes.items()]

    known = {one.key: Stamp("document", *one) for one in sources(before)}
    now = look(*sources(after), seen("kept"))
    known["kept"] = stamp("kept")
    plan = compare(now, list(known.values()), "/root")
    for _, one in plan.added:
        assert one.key not in known
        known[one.key] = Stamp("document", *one)
    for _, one in plan.changed:
        assert known[one.key][2:7] != one[1:]
        known[one.key] = Stamp("document", *one)
    for _, key in plan.gone:
        del known[key]
    assert compare(now, list(known.values()), "/root").is_empty
    assert {*after, "kept"} == set(known)
