"""The requirements manifest: every promise as data, checked both ways against the tests.

`requirements.tsv` holds the promises of the three source documents, `requirements_spec.tsv`
the further ones of the specification; both have the columns id, source, text. What is promised
for later stands in `PLANNED`, with the reason. A test carries
`@pytest.mark.requirement("FACT-11")`; `tests/promises/` compares.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

__all__ = ["PLANNED", "Requirement", "load", "marked_ids", "requirements"]

_FOLDER = Path(__file__).parent
_FILES = ("requirements.tsv", "requirements_spec.tsv")
_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")

# An id, or the beginning of ids up to the `-`, → why it is not built yet. The longest one counts;
# an empty reason takes an id out of its group again.
PLANNED: dict[str, str] = {
    "IDX-": "the committed index",
    "OPS-": "operations",
}


class Requirement(NamedTuple):
    """One promise; `planned` is the reason why it has no test yet, or None."""

    id: str
    source: str
    text: str
    planned: str | None


def load(text: str, planned: dict[str, str]) -> list[Requirement]:
    """The entries of one table (tab-separated, with a header line).

    Raises:
        ValueError: a line has not three filled columns, or an id has the wrong shape.
    """
    entries = []
    for number, line in enumerate(text.splitlines()[1:], start=2):
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 3 or not all(columns) or not _ID.fullmatch(columns[0]):
            raise ValueError(f"line {number}: not id, source, text between tabs: {line!r}")
        identifier, source, promise = columns
        entries.append(Requirement(identifier, source, promise, _reason(identifier, planned)))
    return entries


def _reason(identifier: str, planned: dict[str, str]) -> str | None:
    groups = [key for key in planned if key == identifier or _is_group_of(key, identifier)]
    return planned[max(groups, key=len)] or None if groups else None


def _is_group_of(key: str, identifier: str) -> bool:
    return key.endswith("-") and identifier.startswith(key)


def requirements() -> list[Requirement]:
    """Every entry of both tables."""
    return [
        entry
        for name in _FILES
        if (_FOLDER / name).exists()
        for entry in load((_FOLDER / name).read_text(encoding="utf-8"), PLANNED)
    ]


def marked_ids(folder: Path = _FOLDER) -> dict[str, list[str]]:
    """Each id that a test names → the tests that name it (`file:line`).

    Read from the source, so that a partial run of the tests checks the whole manifest.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _is_marker(node.func):
                where = f"{path.relative_to(folder).as_posix()}:{node.lineno}"
                for identifier in _literals(node, where):
                    found.setdefault(identifier, []).append(where)
    return found


def _is_marker(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "requirement"
        and isinstance(function.value, ast.Attribute)
        and function.value.attr == "mark"
    )


def _literals(call: ast.Call, where: str) -> list[str]:
    ids = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if not ids or len(ids) != len(call.args) or call.keywords:
        raise ValueError(f"{where}: requirement(...) takes ids as literal strings")
    return ids
