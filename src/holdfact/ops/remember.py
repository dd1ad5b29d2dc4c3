"""Writing and deleting one fact, with what the writer must know afterwards."""

from __future__ import annotations

from holdfact.core.errors import FactUnreadable
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.facts.fact import Memory
    from holdfact.facts.prompt_index import IndexStatus
    from holdfact.facts.store import Store

__all__ = ["ForgetPlan", "Remembered", "forget_plan", "remember"]


class Remembered(NamedTuple):
    """What a write answers.

    Attributes:
        id: the fact's full id.
        path: its file, absolute.
        sha256: of the file's bytes, for the next write's `if_match`.
        note: what was changed or is advised, in sentences.
        prompt_index: how full the prompt index is now.
    """

    id: str
    path: str
    sha256: str
    note: str
    prompt_index: IndexStatus


class ForgetPlan(NamedTuple):
    """What a `forget` would delete; without sha256 when it can't be read as a fact."""

    id: str
    path: str
    description: str
    sha256: str | None


def remember(store: Store, fact: Memory, *, if_match: str | None = None) -> Remembered:
    """Write a fact.

    Raises:
        FactError: a value is refused, or the fact changed since `if_match` was read.
        FileError: the file system refused; the fact is as before.
    """
    note = store.write(fact, if_match=if_match)
    written, sha256 = store.read_with_digest(fact.id)
    return Remembered(written.id, written.path or "", sha256, note, store.index_status())


def forget_plan(store: Store, fact_id: str) -> ForgetPlan:
    """What deleting `fact_id` would delete; a fact that can't be read can still be deleted.

    Raises:
        FactError: there is no such fact, the id means two, or its folder can't be looked into.
    """
    try:
        fact, sha256 = store.read_with_digest(fact_id)
    except FactUnreadable as err:
        full_id, path = store.place(fact_id)
        return ForgetPlan(full_id, path, f"unreadable: {err.message}", None)
    return ForgetPlan(fact.id, fact.path or "", fact.description, sha256)
