"""Globs: which paths of a project a pattern means.

A path is relative to the root, POSIX, compared by case. A pattern is anchored at the root and must
match the whole path:

- `*` any characters but `/` (none, too; a leading dot is nothing special), `?` one of them;
- `[abc]`, `[a-z]`, `[!a-z]` one character of the set, or not of it, never `/`;
- `**` as a whole segment: any number of segments, none too. `**/x.md` finds `x.md` and `a/b/x.md`,
  `docs/**` everything below `docs`;
- `/` at the end means everything below that folder.

There is no escape (`[*]` is a literal star), no brace and no negation.
"""

from __future__ import annotations

from holdfact.core.limits import MAX_GLOB_CHARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["is_glob", "literal", "path_matcher", "subtree_matcher"]

_SPECIAL = frozenset("*?[")


def is_glob(pattern: str) -> bool:
    """Whether a text is a pattern: relative, bounded, no `..`, empty segment, backslash or NUL."""
    if not 0 < len(pattern) <= MAX_GLOB_CHARS or "\\" in pattern or "\0" in pattern:
        return False
    segments = pattern.removesuffix("/").split("/")
    return not any(segment in {"", ".", ".."} for segment in segments)


def literal(path: str) -> str:
    """The pattern that only this path matches."""
    return "".join(f"[{char}]" if char in _SPECIAL else char for char in path)


def path_matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """A function that tells whether a path matches one of the patterns."""
    suffixes = tuple(filter(None, map(_plain_suffix, patterns)))
    others = [pattern for pattern in patterns if _plain_suffix(pattern) is None]
    if not others:
        return lambda path: path.endswith(suffixes)
    search = _compiled(others, "")
    return lambda path: path.endswith(suffixes) or search(path) is not None


def subtree_matcher(patterns: Sequence[str]) -> Callable[[str], bool]:
    """A function that tells whether a path, or a folder above it, matches one of the patterns."""
    if not patterns:
        return lambda _path: False
    search = _compiled([pattern.removesuffix("/") for pattern in patterns], "(?:/.*)?")
    return lambda path: search(path) is not None


def _plain_suffix(pattern: str) -> str | None:
    """`.md` of `**/*.md`: the pattern that nearly everybody uses needs no regular expression."""
    if not pattern.startswith("**/*."):
        return None
    suffix = pattern[4:]
    return None if "/" in suffix or not _SPECIAL.isdisjoint(suffix) else suffix


def _compiled(patterns: Sequence[str], tail: str) -> Callable[[str], object]:
    import re

    alternatives = "|".join(map(_expression, patterns))
    return re.compile(f"(?s:(?:{alternatives}){tail})").fullmatch


def _expression(pattern: str) -> str:
    """The pattern as a regular expression that can't backtrack far.

    What stands between two stars matches a fixed number of characters (or segments), so its first
    place is as good as any later one and an atomic group may hold on to it.
    """
    groups = _groups((pattern + "**" if pattern.endswith("/") else pattern).split("/"))
    first, *later = groups
    pieces = ["".join(segment + "/" for segment in first[:-1]), *first[-1:]]
    if not later:
        return "".join(pieces)
    if first:
        pieces.append("/")
    pieces += [f"(?>(?:[^/]+/)*?{'/'.join(group)}/)" for group in later[:-1] if group]
    pieces.append("(?:[^/]+/)*" + "/".join(later[-1]) if later[-1] else ".+")
    return "".join(pieces)


def _groups(segments: list[str]) -> list[list[str]]:
    """The segments' expressions, divided at each `**`."""
    groups: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            groups.append([])
        else:
            groups[-1].append(_segment(segment))
    return groups


def _segment(segment: str) -> str:
    first, *later = _between_stars(segment)
    if not later:
        return first
    pieces = [f"(?>[^/]*?{chunk})" for chunk in later[:-1] if chunk]
    return first + "".join(pieces) + "[^/]*" + later[-1]


def _between_stars(segment: str) -> list[str]:
    import re

    chunks = [""]
    at = 0
    while at < len(segment):
        char = segment[at]
        at += 1
        if char == "*":
            chunks.append("")
        elif char == "?":
            chunks[-1] += "[^/]"
        elif char == "[" and (end := segment.find("]", at + 1 + (segment[at : at + 1] == "!"))) > 0:
            chunks[-1] += _one_of(segment[at:end])
            at = end + 1
        else:
            chunks[-1] += re.escape(char)
    return chunks


def _one_of(inside: str) -> str:
    import re

    is_negated = inside.startswith("!")
    chars = inside[is_negated:]
    pieces: list[str] = []
    at = 0
    while at < len(chars):
        if chars[at + 1 : at + 2] == "-" and at + 2 < len(chars):
            first, last = chars[at], chars[at + 2]
            if first <= last:  # a range that runs backwards holds nothing
                pieces.append(f"{re.escape(first)}-{re.escape(last)}")
            at += 3
        else:
            pieces.append(re.escape(chars[at]))
            at += 1
    wanted = "".join(pieces)
    if not wanted:
        return "[^/]" if is_negated else "(?!)"
    return f"(?!/)[{'^' if is_negated else ''}{wanted}]"
