"""The types that all layers speak."""

from __future__ import annotations

from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["fact", "document"]
else:
    Kind = str

__all__ = ["Document", "Kind", "Skip"]


class Document(NamedTuple):
    """Anything that can be found: a fact renders to one, a Markdown file of the project is one.

    Attributes:
        id: `project/<slug>`, `global/<slug>`, or the path relative to the root (POSIX).
        kind: `fact` or `document`.
        path: what a person opens: absolute for a fact, relative to the root for a document.
        text: what is chunked and shown: the file's text, or a fact's body.
        title: first heading, or the file name without its ending; empty for a fact.
        name: a fact's name, else empty.
        description: a fact's description, else empty.
        scope: a fact's scope, else empty.
        first_line: the line of the file (from 1) on which `text` begins.
    """

    id: str
    kind: Kind
    path: str
    text: str
    title: str = ""
    name: str = ""
    description: str = ""
    scope: str = ""
    first_line: int = 1


class Skip(NamedTuple):
    """A source that was passed over, and why. Skips are always listed."""

    path: str
    reason: str
