"""The prompt index of a project, as an agent's session gets it."""

from __future__ import annotations

from holdfact.core.config_keys import TRUST_COMMAND
from holdfact.core.record import NamedTuple
from holdfact.core.words import counted
from holdfact.facts.prompt_index import HEADING, digest, frame, render
from holdfact.facts.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.facts.prompt_index import IndexStatus
    from holdfact.facts.store import Store

__all__ = ["Context", "context"]


class Context(NamedTuple):
    """The block for a prompt.

    Attributes:
        text: the block; empty when there are no facts.
        prompt_index: how full the prompt index is, and what is dropped.
        dropped_ids: the facts without a line.
        digest: the SHA-256 of `text`: it changes when the block does.
        held_back: facts of an untrusted repository that are not in the block.
        unreadable: files that hold no fact that can be read; `Survey.unreadable` tells why.
    """

    text: str
    prompt_index: IndexStatus
    dropped_ids: tuple[str, ...]
    digest: str
    held_back: int
    unreadable: int


def context(store: Store, *, has_tool: bool, is_trusted: bool) -> Context:
    """The block for a prompt.

    Args:
        store: the facts.
        has_tool: whether the reader can run `holdfact`.
        is_trusted: whether the project's own facts may reach a prompt. Facts outside the
            repository are the user's and always do.
    """
    survey = store.survey()
    facts = survey.memories
    shown = facts if is_trusted else [fact for fact in facts if fact.scope is not Scope.PROJECT]
    index = render(shown)
    text = frame(
        index,
        has_tool=has_tool,
        project_dir=store.project_dir if store.has_project else None,
        global_dir=store.global_dir,
    )
    held_back = len(facts) - len(shown)
    if held_back:
        text = (text or f"{HEADING}\n\n") + _held_back(held_back)
    unreadable = len(survey.unreadable)
    return Context(text, index.status, index.dropped_ids, digest(text), held_back, unreadable)


def _held_back(count: int) -> str:
    facts = f"{counted(count, 'fact')} of this repository"
    are = "is" if count == 1 else "are"
    return f"- … ({facts} {are} held back until its user trusts it: {TRUST_COMMAND})\n"
