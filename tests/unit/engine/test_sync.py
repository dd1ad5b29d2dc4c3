"""What a sync sees: the truth is on the disk."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from holdfact.core import clock
from holdfact.core.errors import EngineUnavailable, FileUnreadable, StoreBusy, UsageError
from holdfact.core.sources import find_sources
from holdfact.core.types import Skip
from holdfact.engine import bulk as bulk_module
from holdfact.engine import ingest as ingest_module
from holdfact.engine import plan as plan_module
from tests.rights import bound_by_permissions

if TYPE_CHECKING:
    from holdfact.engine.engine import Engine
    from tests.unit.engine.conftest import FactsOf, Project

pytestmark = pytest.mark.requirement("SPEC-ENG-05")


def test_finds_what_was_added_edited_renamed_and_not_what_was_deleted(project: Project) -> None:
    project.write("a.md", "# Alpha\nthe walrus sings\n")
    project.write("b.md", "# Beta\nthe pelican dives\n")
    assert project.ids("walrus") == ["a.md"]
    project.write("a.md", "# Alpha\nthe heron waits\n")
    assert project.ids("walrus") == []
    assert project.ids("heron") == ["a.md"]
    (project.root / "a.md").rename(project.root / "c.md")
    assert project.ids("heron") == ["c.md"]
    (project.root / "c.md").unlink()
    assert project.ids("heron") == []
    assert project.ids("pelican") == ["b.md"]


def test_sees_an_edit_whose_modification_time_was_restored(project: Project) -> None:
    path = project.write("a.md", "the walrus sings\n")
    os.utime(path, ns=(10**18, 10**18))
    assert project.ids("walrus") == ["a.md"]
    path.write_text("the heron sings!\n", encoding="utf-8")
    os.utime(path, ns=(10**18, 10**18))
    assert path.stat().st_size == len("the walrus sings\n")
    assert project.ids("heron") == ["a.md"]
    assert project.ids("walrus") == []


def test_sees_a_file_that_was_added_with_an_old_time(project: Project) -> None:
    project.write("a.md", "walrus\n")
    assert project.ids("walrus") == ["a.md"]
    os.utime(project.write("old.md", "walrus of old\n"), ns=(10**9, 10**9))
    assert sorted(project.ids("walrus")) == ["a.md", "old.md"]


def test_sees_a_change_within_the_tick_of_the_read(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Like git's racy entries: equal size and times prove nothing when they are that fresh."""
    path = project.write("a.md", "the walrus sings\n")
    with project.engine() as engine:
        assert engine.sync().added == 1
        assert project.stamps()[0].is_racy == 1
        path.write_text("the heron sings!\n", encoding="utf-8")
        status = path.stat()
        found = find_sources(str(project.root), ("**/*.md",), (), max_file_bytes=1000)
        stamp = project.stamps()[0]
        same = found.files[0]._replace(mtime_ns=stamp.mtime_ns, ctime_ns=stamp.ctime_ns)
        assert status.st_ino == stamp.inode
        monkeypatch.setattr(
            "holdfact.engine.plan.find_sources", lambda *_, **__: found._replace(files=[same])
        )
        assert engine.sync().changed == 1
        assert [hit.id for hit in engine.search("heron", 3).hits] == ["a.md"]


def test_reads_a_racy_file_until_it_has_settled_and_then_no_more(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("a.md", "the walrus sings\n")
    with project.engine() as engine:
        engine.sync()
        revision = engine.status().revision
        now = clock.now()
        monkeypatch.setattr(clock, "now", lambda: now + 10)
        report = engine.sync()
        assert (report.added, report.changed, report.deleted) == (0, 0, 0)
        assert engine.status().revision == revision + 1
        engine.sync()
        assert engine.status().revision == revision + 1


def test_a_modification_time_in_the_future_is_not_read_at_every_call() -> None:
    seen = plan_module.Seen("a", "a", 1, 4 * 10**18, 10**18 + 1, 1)
    assert plan_module.is_racy(seen, 10**18 + 60_000_000) is False
    assert plan_module.is_racy(seen, 10**18 + 40_000_000) is True
    # a clock that is behind the file system's: nothing is known
    assert plan_module.is_racy(seen._replace(ctime_ns=3 * 10**18), 2 * 10**18) is True


def test_times_without_fractions_are_trusted_later() -> None:
    seen = plan_module.Seen("a", "a", 1, 10**18, 10**18, 1)
    assert plan_module.is_racy(seen, 10**18 + 1_500_000_000)
    assert not plan_module.is_racy(seen, 10**18 + 2_500_000_000)
    fine = seen._replace(ctime_ns=10**18 + 123)
    assert plan_module.is_racy(fine, 10**18 + 40_000_000)
    assert not plan_module.is_racy(fine, 10**18 + 60_000_000)


def test_one_bad_source_fails_alone_and_is_listed(project: Project) -> None:
    project.write("good.md", "walrus\n")
    project.write("binary.md", b"walrus\0\1\2")
    project.write("latin.md", b"walr\xfcs")
    with project.engine() as engine:
        report = engine.sync()
        assert [("binary.md", "binary"), ("latin.md", "not UTF-8 (byte 4)")] == report.skipped
        assert (1, 0, 0) == (report.added, report.changed, report.deleted)
        assert [hit.id for hit in engine.search("walrus", 9).hits] == ["good.md"]
        again = engine.sync()
        assert again.skipped == report.skipped
    project.write("binary.md", "walrus text now\n")
    assert sorted(project.ids("walrus")) == ["binary.md", "good.md"]
    project.write("good.md", b"\0")
    assert project.ids("walrus") == ["binary.md"]


def test_a_bulk_finds_bad_sources_and_unchanged_content_too(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest_module, "BULK_DOCUMENTS", 2)
    for number in range(8):
        project.write(f"d{number}.md", f"walrus number {number}\n")
    project.write("bad.md", b"\0")
    with project.engine() as engine:
        told: list[tuple[int, int, str]] = []
        report = engine.sync(progress=lambda *step: told.append(step))
        assert report.added == 8
        assert told[-1] == (9, 9, "documents")
        assert [skip.path for skip in report.skipped] == ["bad.md"]
        for number in range(5):
            os.utime(project.root / f"d{number}.md")
        project.write("d5.md", "pelican\n")
        project.write("d6.md", b"\0\0")
        report = engine.sync()
        assert (report.added, report.deleted) == (0, 0)
        assert report.changed == 2
        assert [hit.id for hit in engine.search("pelican", 9).hits] == ["d5.md"]
        assert len(engine.search("walrus", 20).hits) == 6
        assert [skip.path for skip in engine.sync().skipped] == ["bad.md", "d6.md"]


def test_many_that_look_different_and_few_that_are_cost_no_bulk_write(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        project.write(f"d{number}.md", f"document{number}")
    with project.engine() as engine:
        engine.sync()
    monkeypatch.setattr(ingest_module, "BULK_DOCUMENTS", 2)
    monkeypatch.setattr(ingest_module, "_bulk", lambda *_: pytest.fail("a bulk write"))
    for number in range(6):
        project.write(f"d{number}.md", f"document{number}" if number else "rewritten")
    with project.engine() as engine:
        report = engine.sync()
        assert (0, 1, 0) == (report.added, report.changed, report.deleted)
        assert ["d0.md"] == [hit.id for hit in engine.search("rewritten", 3).hits]


def test_a_document_with_too_many_chunks_is_skipped(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from holdfact.engine import analysis

    monkeypatch.setattr(analysis, "MAX_DOCUMENT_CHUNKS", 3)
    project.write("long.md", "walrus and more words than fit\n" * 400)
    project.write("short.md", "walrus\n")
    with project.engine(chunk_tokens=64, chunk_overlap=8) as engine:
        report = engine.sync()
        assert [skip.path for skip in report.skipped] == ["long.md"]
        assert "the limit is 3" in report.skipped[0].reason
        assert [hit.id for hit in engine.search("walrus", 9).hits] == ["short.md"]


def test_a_missing_root_keeps_the_index(project: Project) -> None:
    project.write("a.md", "walrus\n")
    project.ids("walrus")
    moved = project.root.rename(project.root.with_name("elsewhere"))
    with project.engine() as engine:
        with pytest.raises(FileUnreadable):
            engine.sync()
        assert engine.search("walrus", 3).total == 1
    moved.rename(project.root)
    assert project.ids("walrus") == ["a.md"]


def test_an_empty_root_where_many_were_keeps_the_index(project: Project) -> None:
    for number in range(6):
        project.write(f"d{number}.md", "walrus\n")
    project.ids("walrus")
    shutil.rmtree(project.root)
    project.root.mkdir()
    with project.engine() as engine:
        with pytest.raises(EngineUnavailable, match="6 documents"):
            engine.sync()
        assert engine.search("walrus", 3).total == 1  # equal texts are one hit
    (project.root / "something.txt").write_text("x", encoding="utf-8")
    assert project.ids("walrus") == []


def test_what_stands_below_an_unlistable_folder_is_kept_and_named(project: Project) -> None:
    project.write("sub/a.md", "walrus\n")
    project.ids("walrus")
    (project.root / "sub").chmod(0)

    def look() -> None:
        with project.engine() as engine:
            assert engine.sync().stale == ["sub/a.md"]
            assert engine.search("walrus", 3).hits[0].changed_since_indexed

    try:
        bound_by_permissions(look)
    finally:
        (project.root / "sub").chmod(0o755)


def test_unlistable_folder_as_reported_by_the_walk(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("sub/a.md", "walrus sings\n")
    project.write("b.md", "pelican\n")
    project.ids("walrus")
    found = find_sources(str(project.root), ("**/*.md",), (), max_file_bytes=10**6)
    hidden = found._replace(
        files=[file for file in found.files if file.path == "b.md"],
        skipped=[Skip("sub/", "can't be listed: permission denied")],
    )
    monkeypatch.setattr("holdfact.engine.plan.find_sources", lambda *_, **__: hidden)
    with project.engine() as engine:
        report = engine.sync()
        assert (report.deleted, report.stale) == (0, ["sub/a.md"])
        hit = engine.search("walrus", 3).hits[0]
        assert (hit.changed_since_indexed, hit.snippet) == (True, "")


def test_never_writes_to_a_source(project: Project) -> None:
    for number in range(4):
        project.write(f"d{number}.md", f"walrus {number}\n")

    def tree() -> dict[str, tuple[bytes, int, int]]:
        return {
            str(path): (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ctime_ns)
            for path in sorted(project.root.rglob("*.md"))
        }

    before = tree()
    project.ids("walrus")
    assert tree() == before


@pytest.mark.requirement("SPEC-ENG-09")
def test_another_process_writing_leaves_a_stale_answer_that_says_so(project: Project) -> None:
    path = project.write("a.md", "the walrus sings\n")
    project.write("b.md", "the walrus dives\n")
    with project.engine() as engine:
        engine.sync()
        path.write_text("the heron sings, longer\n", encoding="utf-8")
        (project.root / "b.md").unlink()
        project.write("new.md", "a new walrus\n")
        with project.lease():
            report = engine.sync(wait_s=0.01)
        assert isinstance(report.error, StoreBusy)
        assert report.stale == ["a.md", "b.md", "new.md"]
        assert (report.added, report.changed, report.deleted) == (0, 0, 0)
        found = engine.search("walrus", 9)
        assert [(hit.id, hit.changed_since_indexed, hit.snippet) for hit in found.hits] == [
            ("a.md", True, "")
        ]
        assert found.stale == report.stale
        assert engine.sync().error is None
        found = engine.search("walrus", 9)
        assert [(hit.id, hit.changed_since_indexed) for hit in found.hits] == [("new.md", False)]
        assert found.stale == []


def test_a_first_build_by_another_process_is_waited_for(project: Project) -> None:
    project.write("a.md", "walrus\n")
    with project.engine() as engine, project.lease():
        with pytest.raises(StoreBusy):
            engine.sync(wait_s=0.01)
        with pytest.raises(EngineUnavailable):
            engine.search("walrus", 3)


def test_facts_and_documents_are_found_together(project: Project, facts_of: FactsOf) -> None:
    project.write("a.md", "the walrus sings\n")
    facts = facts_of(
        ("global/tusks", "Walrus tusks are ivory", "Walrus body text.\n"),
        ("project/tusks", "Walrus tusks are ivory", "Walrus body text.\n"),
    )
    with project.engine() as engine:
        report = engine.sync(facts)
        assert report.added == 3
        found = engine.search("walrus tusks", 9)
        assert [hit.id for hit in found.hits][:2] == ["project/tusks", "global/tusks"]
        assert found.hits[0].lines == (6, 6)
        status = engine.status(facts)
        assert (status.documents, status.facts, status.stale) == (3, 2, [])
        fewer = facts._replace(seen=facts.seen[:1])
        assert engine.status(fewer).stale == ["/facts/project/tusks.md"]
        assert engine.sync(fewer).deleted == 1


def test_a_fact_that_can_not_be_read_is_listed(project: Project, facts_of: FactsOf) -> None:
    facts = facts_of(("project/a", "Walrus", ""), ("project/b", "Pelican", ""))
    broken = facts._replace(load=lambda: [d for d in facts.load() if d.name == "a"])
    with project.engine() as engine:
        report = engine.sync(broken)
        assert [("/facts/project/b.md", "can't be read as a fact")] == report.skipped
        assert 1 == report.added


def test_a_fact_that_can_not_be_read_is_listed_with_its_reason(
    project: Project, facts_of: FactsOf
) -> None:
    facts = facts_of(("project/a", "Walrus", ""), ("project/b", "Pelican", ""))
    reasons = {"/facts/project/b.md": "no description", "/facts/project/a.md": "not asked for"}
    broken = facts._replace(
        load=lambda: [d for d in facts.load() if d.name == "a"], reasons=lambda: reasons
    )
    with project.engine() as engine:
        assert [("/facts/project/b.md", "no description")] == engine.sync(broken).skipped


def test_the_lines_of_a_fact_follow_its_header(project: Project, facts_of: FactsOf) -> None:
    """A line more above the same text moves the text."""
    facts = facts_of(("project/a", "Walrus", "Tusks.\n"))
    (document,) = facts.load()
    longer = plan_module.FactSource(
        [facts.seen[0]._replace(size=99)], lambda: [document._replace(first_line=7)]
    )
    with project.engine() as engine:
        engine.sync(facts)
        assert (6, 6) == engine.search("walrus", 1).hits[0].lines
        engine.sync(longer)
        assert (7, 7) == engine.search("walrus", 1).hits[0].lines


def test_status_before_and_after_the_first_build(project: Project) -> None:
    project.write("a.md", "walrus\n")
    with project.engine() as engine:
        before = engine.status()
        assert (before.generation, before.stale) == (None, ["a.md"])
        engine.sync()
        after = engine.status()
        assert (after.generation, after.documents, after.chunks) == (1, 1, 1)
        assert after.bytes > 0
        assert after.is_identity_current
        project.write("b.md", "pelican\n")
        assert engine.status().stale == ["b.md"]


@pytest.mark.requirement("SPEC-ENG-08")
def test_another_identity_is_built_beside_and_then_published(project: Project) -> None:
    project.write("a.md", "the walrus sings\n" * 30)
    project.ids("walrus")
    with project.engine(chunk_tokens=64, chunk_overlap=8) as engine:
        assert not engine.status().is_identity_current
        assert engine.search("walrus", 3).generation == 1
        engine.sync()
        assert engine.search("walrus", 3).generation == 2
        assert engine.status().chunks > 1
    assert sorted(os.listdir(project.state / "engine"))[:2] == ["CURRENT", "index-2.db"]


def test_a_long_lived_engine_follows_the_published_generation(project: Project) -> None:
    project.write("a.md", "walrus\n")
    with project.engine() as reader:
        reader.sync()
        project.write("b.md", "walrus too\n")
        project.ids("walrus", chunk_tokens=64, chunk_overlap=8)
        found = reader.search("walrus", 9)
        assert (found.generation, found.total) == (2, 2)


@pytest.mark.parametrize("query", ["", "  \n"])
def test_refuses_a_blank_query(engine: Engine, query: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        engine.search(query, 3)


@pytest.mark.parametrize("k", [0, -1, 1001])
def test_refuses_k_out_of_range(engine: Engine, k: int) -> None:
    with pytest.raises(UsageError, match="from 1 to 1000"):
        engine.search("walrus", k)


@pytest.mark.requirement("SPEC-CLI-29")
def test_old_text_is_not_shown_of_a_source_that_changed_after_the_sync(project: Project) -> None:
    path = project.write("a.md", "walrus\n")
    project.write("b.md", "walrus walrus\n")
    project.write("c.md", "a walrus walrus\n")
    with project.engine() as engine:
        engine.sync()
        path.write_text("pelican\n", encoding="utf-8")
        (project.root / "b.md").unlink()
        os.utime(project.root / "c.md", ns=(1, 1))
        found = engine.search("walrus", 9)
        assert {
            "a.md": ("", ()),
            "b.md": ("", ()),
            "c.md": ("a walrus walrus", ((2, 8), (9, 15))),
        } == {hit.id: (hit.snippet, hit.matches) for hit in found.hits}
        assert {"a.md", "b.md"} == {hit.id for hit in found.hits if hit.changed_since_indexed}
        assert ["a.md", "b.md"] == found.stale
        engine.sync()
        found = engine.search("walrus", 9)
        assert (["c.md"], []) == ([hit.id for hit in found.hits], found.stale)


def test_a_fact_that_changed_after_the_sync_is_not_shown(
    project: Project, facts_of: FactsOf
) -> None:
    path = project.write("fact.txt", "Walrus")
    look = os.stat(path)
    seen = plan_module.Seen(
        "project/a", str(path), look.st_size, look.st_mtime_ns, look.st_ctime_ns, look.st_ino
    )
    document = next(iter(facts_of(("project/a", "Walrus", "Tusks.")).load()))
    facts = plan_module.FactSource([seen], lambda: [document._replace(path=str(path))])
    with project.engine() as engine:
        engine.sync(facts)
        assert "Tusks." == engine.search("walrus", 1).hits[0].snippet
        path.write_text("Pelican", encoding="utf-8")
        found = engine.search("walrus", 1)
        assert ("", True) == (found.hits[0].snippet, found.hits[0].changed_since_indexed)


def test_refuses_a_query_that_is_no_text(engine: Engine) -> None:
    with pytest.raises(UsageError, match="not valid UTF-8"):
        engine.search("walrus \udcff", 1)


def test_refuses_a_query_that_is_too_long(engine: Engine) -> None:
    with pytest.raises(UsageError, match="4096"):
        engine.search("w" * 4_097, 3)


def test_an_empty_project_has_an_empty_index(project: Project) -> None:
    with project.engine() as engine:
        engine.sync()
        assert engine.search("walrus", 3).hits == []
        assert engine.status().documents == 0


def test_a_worker_answers_like_the_parent(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        project.write(f"d{number:02}.md", f"# Doc {number}\nwalrus word{number} " + "fill " * 50)
    monkeypatch.setattr(ingest_module, "BULK_DOCUMENTS", 2)
    alone = project.ids("walrus", k=50)
    ids = [stamp.document for stamp in project.stamps()]
    monkeypatch.setattr(bulk_module, "BUILD_PARALLEL_BYTES", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    shutil.rmtree(project.state / "engine")
    assert project.ids("walrus", k=50) == alone
    assert [stamp.document for stamp in project.stamps()] == ids
    assert project.ids("word17") == ["d17.md"]


def test_a_worker_that_dies_is_replaced_by_the_parent(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        project.write(f"d{number:02}.md", f"walrus word{number}\n")
    monkeypatch.setattr(ingest_module, "BULK_DOCUMENTS", 2)
    monkeypatch.setattr(bulk_module, "BUILD_PARALLEL_BYTES", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr("holdfact.engine.worker._START", "import sys; sys.exit(3)")
    assert len(project.ids("walrus", k=50)) == 30
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    shutil.rmtree(project.state / "engine")
    assert len(project.ids("walrus", k=50)) == 30
    monkeypatch.setattr(sys, "executable", "")
    shutil.rmtree(project.state / "engine")
    assert len(project.ids("walrus", k=50)) == 30
