"""Merging facts into a store that may have its own: additive, deterministic, pure.

What is there keeps its name and its bytes. A fact that is there already, under its name or one of
the names a merge would have given it, is skipped; any other gets the first free of `name`,
`name-2`, `name-3`…, and then its `name:` line follows the file name. The newest of several facts
of one name keeps the name. The outcome does not depend on the order of the input, and repeating
an interrupted merge ends with the same files.
"""

from __future__ import annotations

import os

from holdfact.core.limits import MAX_FILE_NAME_BYTES
from holdfact.core.record import NamedTuple
from holdfact.facts.whitespace import trim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Incoming", "Merge", "Placed", "merge", "renamed", "same_fact"]

_SUFFIX_BYTES = len(b".md")
_FIRST_NUMBER = 2
_MOST_DIGITS = 9  # of a number that a merge would have given
_BOM = b"\xef\xbb\xbf"


class Incoming(NamedTuple):
    """A fact to be merged: its name, its bytes, where it comes from, its age."""

    name: str
    data: bytes
    path: str
    mtime_ns: int


class Placed(NamedTuple):
    """A fact that is to be written under `name` with exactly these bytes."""

    name: str
    data: bytes
    incoming: Incoming


class Merge(NamedTuple):
    """The facts to write, in order, and the ones that are there already, with their name there."""

    placed: tuple[Placed, ...]
    skipped: tuple[tuple[Incoming, str], ...]

    def names(self) -> dict[str, str]:
        """Path of each old file → the name under which its fact is in the store."""
        placed = {one.incoming.path: one.name for one in self.placed}
        return placed | {fact.path: name for fact, name in self.skipped}


def merge(incoming: Iterable[Incoming], existing: Mapping[str, bytes]) -> Merge:
    """Give each incoming fact a name, or skip it.

    Args:
        incoming: in any order.
        existing: name → bytes of the facts that are there.
    """
    by_name: dict[str, list[Incoming]] = {}
    for fact in incoming:
        by_name.setdefault(fact.name, []).append(fact)
    taken = {*existing, *by_name}  # a name that comes in is never given to another fact
    numbered = _by_stem(existing)
    placed: list[Placed] = []
    skipped: list[tuple[Incoming, str]] = []
    for name in sorted(by_name):
        kept = _versions(name, existing, numbered)
        is_free = name not in existing
        for fact in sorted(by_name[name], key=_newest_first):
            nameless = _without_name(fact.data)
            if nameless in kept:
                skipped.append((fact, kept[nameless]))
                continue
            target = name if is_free else _free_name(name, taken)
            is_free = False
            taken.add(target)
            kept[nameless] = target
            data = fact.data if target == name else renamed(fact.data, target)
            placed.append(Placed(target, data, fact))
    return Merge(tuple(placed), tuple(skipped))


def same_fact(name: str, data: bytes, existing: Mapping[str, bytes]) -> bool:
    """Whether `existing` holds this fact under its name or one that a merge would have given it."""
    return _without_name(data) in _versions(name, existing, _by_stem(existing))


def renamed(data: bytes, name: str) -> bytes:
    """The fact with its `name:` line telling `name`, every other byte unchanged.

    A file without a closed header, or without a `name:` line, is returned as it is: the file name
    decides anyway.
    """
    return _with_name(data, b"name: " + os.fsencode(name))


def _newest_first(fact: Incoming) -> tuple[int, str]:
    return -fact.mtime_ns, fact.path


def _by_stem(existing: Mapping[str, bytes]) -> dict[str, list[str]]:
    """The names that end in a number, by what stands before it: asked once for each fact."""
    found: dict[str, list[str]] = {}
    for name in existing:
        stem, _, number = name.rpartition("-")
        if number.isascii() and number.isdecimal():
            found.setdefault(stem, []).append(name)
    return found


def _versions(
    name: str, existing: Mapping[str, bytes], numbered: Mapping[str, list[str]]
) -> dict[bytes, str]:
    """The facts that are there under `name` or a numbered form of it: text → their name."""
    found = {_without_name(existing[name]): name} if name in existing else {}
    # A long name is cut to make room for its number: shorter for each further digit.
    stems = {_cut(name, len("-") + digits) for digits in range(1, _MOST_DIGITS + 1)}
    for other in sorted(other for stem in stems for other in numbered.get(stem, ())):
        if _numbered(name, int(other.rpartition("-")[2])) == other:
            found.setdefault(_without_name(existing[other]), other)
    return found


def _free_name(name: str, taken: set[str]) -> str:
    number = _FIRST_NUMBER
    while (candidate := _numbered(name, number)) in taken:
        number += 1
    return candidate


def _numbered(name: str, number: int) -> str:
    """`name-number`, the name cut where the file name would be too long."""
    ending = f"-{number}"
    return _cut(name, len(ending)) + ending


def _cut(name: str, ending_bytes: int) -> str:
    room = MAX_FILE_NAME_BYTES - _SUFFIX_BYTES - ending_bytes
    while len(os.fsencode(name)) > room:
        name = name[:-1]
    return name


def _without_name(data: bytes) -> bytes:
    return _with_name(data, b"name:")


def _with_name(data: bytes, line: bytes) -> bytes:
    lines = data.split(b"\n")
    if _trimmed(lines[0].removeprefix(_BOM)) != "---":
        return data
    names: list[int] = []
    for number, text in enumerate(lines[1:], start=1):
        if _trimmed(text) == "---":
            break
        key, colon, _ = text.partition(b":")
        if colon and _trimmed(key) == "name":
            names.append(number)
    else:
        return data
    for number in names:
        ending = b"\r" if lines[number].endswith(b"\r") else b""
        lines[number] = line + ending
    return b"\n".join(lines)


def _trimmed(line: bytes) -> str:
    return trim(line.decode("utf-8", "surrogateescape"))
