"""What a document is called: by its header, its first heading or its file."""

from __future__ import annotations

from holdfact.core.limits import MAX_HEADING_CHARS
from holdfact.text.frontmatter import as_text, split
from holdfact.text.structure import headings, line_text

__all__ = ["title"]


def title(text: str, path: str) -> str:
    """The header's `title`, else the first heading, else the file name without its ending."""
    header, _ = split(text)
    if named := as_text(header.get("title")).strip():
        return named[:MAX_HEADING_CHARS]
    for heading in headings(line_text(text)):
        if heading.title:
            return heading.title
    name = path.rpartition("/")[2]
    return name.rpartition(".")[0] or name
