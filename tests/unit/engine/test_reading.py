"""Reading sources: what is noted of each, and what makes a document another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from holdfact.core.errors import FileError, FileUnreadable
from holdfact.core.types import Document
from holdfact.engine.plan import Seen
from holdfact.engine.reading import digest_of, read_document, reason_of, stamp_of

if TYPE_CHECKING:
    from tests.unit.engine.conftest import Project

pytestmark = pytest.mark.requirement("SPEC-ENG-05")
DOCUMENT = Document("a.md", "document", "a.md", "text", "title", "name", "description", "project")
SEEN = Seen("a.md", "docs/a.md", 10, 10**18 + 1, 10**18 + 1, 7)


@pytest.mark.parametrize(
    "changed",
    [
        DOCUMENT._replace(text="other"),
        DOCUMENT._replace(title="other"),
        DOCUMENT._replace(name="other"),
        DOCUMENT._replace(description="other"),
        DOCUMENT._replace(scope="global"),
        DOCUMENT._replace(first_line=2),
    ],
)
def test_a_change_of_anything_that_is_indexed_is_another_digest(changed: Document) -> None:
    assert digest_of(DOCUMENT) != digest_of(changed)
    assert 32 == len(digest_of(changed))


def test_a_file_that_stands_elsewhere_is_indexed_again_as_hits_name_it() -> None:
    assert digest_of(DOCUMENT) == digest_of(DOCUMENT._replace(id="other"))
    assert digest_of(DOCUMENT) != digest_of(DOCUMENT._replace(path="other"))


def test_words_that_move_from_field_to_field_are_another_content() -> None:
    one = DOCUMENT._replace(title="ab", name="")
    two = DOCUMENT._replace(title="a", name="b")
    assert digest_of(one) != digest_of(two)


def test_a_stamp_is_how_the_source_was_seen() -> None:
    at = 10**18 + 10**9
    assert (*SEEN, 0, None, "") == stamp_of("document", SEEN, at)[1:]
    assert ("fact", 1) == (stamp_of("fact", SEEN, 10**18 + 2).kind, stamp_of("x", SEEN, 5).is_racy)
    failed = stamp_of("document", SEEN, at, reason="binary")
    assert ("binary", None) == (failed.reason, failed.document)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("docs/a.md: binary", "binary"),
        ("docs/a.md has 9 chunks", "has 9 chunks"),
        ("docs/a.md.bak: binary", "docs/a.md.bak: binary"),
        ("other", "other"),
    ],
)
def test_a_reason_does_not_repeat_its_path(message: str, expected: str) -> None:
    assert expected == reason_of("docs/a.md", FileUnreadable(message))


def test_a_document_is_read_with_its_title(project: Project) -> None:
    project.write("docs/a.md", "# Walrus\n\ntusk\n")
    seen = SEEN._replace(key="docs/a.md")
    document = read_document(str(project.root), seen, 100)
    assert (
        Document("docs/a.md", "document", "docs/a.md", "# Walrus\n\ntusk\n", "Walrus") == document
    )
    with pytest.raises(FileError, match="the limit is 14"):
        read_document(str(project.root), seen, 14)
    assert document == read_document(str(project.root), seen, 15)
