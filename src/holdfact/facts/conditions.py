"""The small vocabulary of conditions that a program can check without a network or a model.

```
when file <path> exists
when file <path> is gone
when git branch <branch> is merged into <branch>
when tag <tag> exists
when <YYYY-MM-DD> has passed
when commit <sha> is in <branch>
when command <name> succeeds
```

`when` and the other fixed words are matched as written; a path may hold spaces and may stand in
back-quotes. Everything else is for a person or an agent to judge.
"""

from __future__ import annotations

import re

from holdfact.core.limits import MAX_CONDITION_CHARS
from holdfact.core.record import NamedTuple
from holdfact.facts.whitespace import trim

__all__ = [
    "BranchMerged",
    "CommandSucceeds",
    "CommitIn",
    "Condition",
    "DatePassed",
    "FileState",
    "TagExists",
    "parse_condition",
]


class FileState(NamedTuple):
    """A file or folder of the project exists (or is gone)."""

    path: str
    is_gone: bool


class BranchMerged(NamedTuple):
    """Every commit of one branch is in another."""

    branch: str
    into: str


class TagExists(NamedTuple):
    """The repository has the tag."""

    tag: str


class DatePassed(NamedTuple):
    """The day, `YYYY-MM-DD`, is over."""

    day: str


class CommitIn(NamedTuple):
    """The commit is part of a branch."""

    sha: str
    branch: str


class CommandSucceeds(NamedTuple):
    """The command of that name, in the user's configuration, exits with 0."""

    name: str


Condition = FileState | BranchMerged | TagExists | DatePassed | CommitIn | CommandSucceeds

_FILE = re.compile(r"when file (?P<path>.*\S) (?P<state>exists|is gone)")
_BRANCH = re.compile(r"when git branch (?P<branch>\S+) is merged into (?P<into>\S+)")
_TAG = re.compile(r"when tag (?P<tag>\S+) exists")
_DATE = re.compile(r"when (?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2}) has passed")
_COMMIT = re.compile(r"when commit (?P<sha>[0-9a-fA-F]{7,64}) is in (?P<branch>\S+)")
_COMMAND = re.compile(r"when command (?P<name>[A-Za-z0-9][A-Za-z0-9._-]*) succeeds")


def parse_condition(text: str) -> Condition | None:
    """The condition that `text` states; None when it is not in the vocabulary."""
    if len(text) > MAX_CONDITION_CHARS:
        return None
    text = trim(text)
    if found := _FILE.fullmatch(text):
        path = found["path"]
        is_quoted = len(path) > len("``") and path[0] == path[-1] == "`"
        return FileState(path[1:-1] if is_quoted else path, found["state"] == "is gone")
    for pattern, condition in (
        (_BRANCH, BranchMerged),
        (_TAG, TagExists),
        (_DATE, DatePassed),
        (_COMMIT, CommitIn),
        (_COMMAND, CommandSucceeds),
    ):
        if found := pattern.fullmatch(text):
            return condition(**found.groupdict())
    return None
