"""From a file of the project to a document."""

from __future__ import annotations

from holdfact.core.limits import TITLE_CHARS
from holdfact.core.types import Document

__all__ = ["source_document"]


def source_document(path: str, text: str) -> Document:
    """The document of a project file."""
    from holdfact.text.title import title

    return Document(path, "document", path, text, title(text[:TITLE_CHARS], path))
