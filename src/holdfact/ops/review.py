"""Review: which conditional facts have expired, with the evidence.

A met condition means that the fact is expired. Conditions of the small vocabulary are checked
here; any other is listed as "cannot tell" for an agent or a person. So is whatever can't be
decided safely: a fact is never called expired on a guess.

**Invariant:** reviewing reads. It uses no network and no shell, and runs no program but git and
the commands that the user named in their own configuration. A command runs in the project's folder,
where it may run what lies there (`make test` does), so a fact that came with a repository the user
does not trust starts none.
"""

from __future__ import annotations

import os
from typing import Literal, NamedTuple

from holdfact.core import clock
from holdfact.core.config_keys import TRUST_COMMAND
from holdfact.core.errors import ConfinementError, FactError, FileError
from holdfact.core.files import confine
from holdfact.core.limits import MAX_EVIDENCE_CHARS
from holdfact.facts.conditions import (
    BranchMerged,
    CommandSucceeds,
    CommitIn,
    DatePassed,
    FileState,
    TagExists,
    parse_condition,
)
from holdfact.facts.lifecycle import Lifecycle
from holdfact.facts.names import fact_id
from holdfact.facts.printable import escaped
from holdfact.facts.scope import Scope
from holdfact.ops.repository import CannotTell, Repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfact.facts.conditions import Condition
    from holdfact.facts.store import Store

__all__ = [
    "CANNOT_TELL",
    "EXPIRED",
    "STILL_TRUE",
    "Deletion",
    "Verdict",
    "delete_expired",
    "review",
]

Word = Literal["expired", "still true", "cannot tell"]
EXPIRED: Word = "expired"
STILL_TRUE: Word = "still true"
CANNOT_TELL: Word = "cannot tell"
_IN_A_PROJECT = (FileState, BranchMerged, TagExists, CommitIn)


class Verdict(NamedTuple):
    """What is known about one conditional fact.

    Attributes:
        id: the fact's full id.
        invalidate_when: its condition, exactly as written.
        verdict: `expired`, `still true` or `cannot tell`.
        evidence: one line that says why.
    """

    id: str
    invalidate_when: str
    verdict: Word
    evidence: str


class Deletion(NamedTuple):
    """What became of expired facts: ids that were deleted, and (id, reason) of those that stay."""

    deleted: tuple[str, ...]
    kept: tuple[tuple[str, str], ...]


def review(
    store: Store, root: str, commands: Mapping[str, Sequence[str]], *, is_trusted: bool
) -> list[Verdict]:
    """A verdict for each conditional fact, in the order of `store.list()`.

    Args:
        store: the facts.
        root: the project that the conditions speak of.
        commands: name → program and arguments, from the user's own configuration only.
        is_trusted: whether the project's own facts may start one. Facts outside the repository are
            the user's and always may.
    """
    examiner = _Examiner(root, commands, is_trusted=is_trusted)
    verdicts = []
    for memory in store.list():
        if memory.lifecycle is Lifecycle.CONDITIONAL:
            verdict, evidence = examiner.judge(memory.invalidate_when, memory.scope)
            evidence = escaped(evidence)[:MAX_EVIDENCE_CHARS]
            identity = fact_id(memory.scope, memory.name)
            verdicts.append(Verdict(identity, memory.invalidate_when, verdict, evidence))
    return verdicts


def delete_expired(store: Store, verdicts: Iterable[Verdict]) -> Deletion:
    """Delete the expired facts among `verdicts`; one whose condition changed since stays."""
    deleted: list[str] = []
    kept: list[tuple[str, str]] = []
    for verdict in verdicts:
        if verdict.verdict != EXPIRED:
            continue
        try:
            memory, digest = store.read_with_digest(verdict.id)
            if memory.invalidate_when != verdict.invalidate_when:
                kept.append((verdict.id, "its condition changed since the review"))
                continue
            store.delete(verdict.id, if_match=digest)
        except (FactError, FileError) as err:
            kept.append((verdict.id, err.message))
        else:
            deleted.append(verdict.id)
    return Deletion(tuple(deleted), tuple(kept))


class _Examiner:
    """Judges conditions for one project; equal conditions are judged once."""

    def __init__(
        self, root: str, commands: Mapping[str, Sequence[str]], *, is_trusted: bool
    ) -> None:
        self._root = root
        self._commands = commands
        self._is_trusted = is_trusted
        self._repository = Repository(root)
        self._judged: dict[Condition, tuple[Word, str]] = {}

    def judge(self, text: str, scope: Scope) -> tuple[Word, str]:
        condition = parse_condition(text)
        if condition is None:
            return CANNOT_TELL, "a program can't check this condition: decide it yourself"
        if scope is Scope.GLOBAL and isinstance(condition, _IN_A_PROJECT):
            return CANNOT_TELL, "a global fact does not say which project its condition speaks of"
        is_own = scope is Scope.PROJECT
        if is_own and not self._is_trusted and isinstance(condition, CommandSucceeds):
            return CANNOT_TELL, f"the repository is not trusted to start a command: {TRUST_COMMAND}"
        if condition not in self._judged:
            self._judged[condition] = self._examine(condition)
        return self._judged[condition]

    def _examine(self, condition: Condition) -> tuple[Word, str]:
        try:
            is_met, evidence = self._check(condition)
        except CannotTell as err:
            return CANNOT_TELL, str(err)
        return (EXPIRED if is_met else STILL_TRUE), evidence

    def _check(self, condition: Condition) -> tuple[bool, str]:
        match condition:
            case FileState(path, is_gone):
                return _check_file(self._root, path, is_gone=is_gone)
            case BranchMerged(branch, into):
                return self._repository.is_merged(branch, into)
            case TagExists(tag):
                return self._repository.has_tag(tag)
            case CommitIn(sha, branch):
                return self._repository.is_in(sha, branch)
            case DatePassed(day):
                return _check_date(day)
            case _:
                return _check_command(self._root, condition.name, self._commands)


def _check_file(root: str, path: str, *, is_gone: bool) -> tuple[bool, str]:
    if not os.path.isdir(root):
        raise CannotTell(f"{root} is not a folder")
    try:
        place = confine(path, root)
        os.stat(place)
        is_there = True
    except (FileNotFoundError, NotADirectoryError):
        is_there = False
    except (ConfinementError, OSError) as err:
        raise CannotTell(str(err)) from err
    if is_there:
        return not is_gone, f"{path} exists"
    if is_gone and _is_empty(root):  # a mount point whose disk is away: nothing is gone for that
        raise CannotTell(f"{root} is empty")
    return is_gone, f"{path} does not exist"


def _is_empty(folder: str) -> bool:
    try:
        return not os.listdir(folder)
    except OSError:  # as far as anyone can tell
        return True


def _check_date(day: str) -> tuple[bool, str]:
    """A day has passed when the local calendar shows a later one: it lasts until midnight."""
    from datetime import date

    try:
        date.fromisoformat(day)
    except ValueError as err:
        raise CannotTell(f"{day} is no day of the calendar") from err
    today = clock.today()
    return today > day, f"today is {today}"


def _check_command(root: str, name: str, commands: Mapping[str, Sequence[str]]) -> tuple[bool, str]:
    from holdfact.ops.commands import run_command

    if name not in commands:
        raise CannotTell(f"no command {name} under [review] commands in your own configuration")
    status = run_command(commands[name], root)
    if isinstance(status, str):
        raise CannotTell(f"command {name}: {status}")
    return status == 0, f"command {name} ended with {status}"
