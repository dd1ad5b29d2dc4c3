"""From a file of the project to a document."""

from __future__ import annotations

from holdfact.core.types import Document

__all__ = ["source_document"]

_ENDINGS = (".md", ".mdx", ".markdown")
# A title further down than this is not the document's title.
_TITLE_LINES = 200


def source_document(path: str, text: str) -> Document:
    """The document of a project file: its title is the first heading, else the file's name."""
    return Document(path, "document", path, text, _title(text) or _stem(path))


def _title(text: str) -> str:
    header, start = _front(text)
    named = header.get("title")
    if isinstance(named, str) and named.strip():
        return named.strip()
    in_fence = False
    for line in text[start:].split("\n", _TITLE_LINES)[:_TITLE_LINES]:
        if line.startswith(("```", "~~~")):
            in_fence = not in_fence
        elif not in_fence and line.startswith("# "):
            return line.strip("# \r\t")
    return ""


def _front(text: str) -> tuple[dict[str, object], int]:
    if not text.startswith("---"):
        return {}, 0
    from holdfact.text.frontmatter import split

    header, start = split(text)
    return dict(header), start


def _stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    for ending in _ENDINGS:
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name
