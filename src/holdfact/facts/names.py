"""Names and ids of facts, judged as text: nothing here asks the file system."""

from __future__ import annotations

from holdfact.core.errors import FactNotFound, ValueRefused
from holdfact.core.files import is_temporary_name
from holdfact.core.limits import MAX_FILE_NAME_BYTES
from holdfact.core.words import not_text
from holdfact.facts.scope import Scope, Type, parse_scope

__all__ = [
    "FLAT_NAME",
    "SUFFIX",
    "check_name",
    "fact_id",
    "is_fact_file_name",
    "parse_id",
    "valid_name",
    "valid_type",
]

SUFFIX = ".md"
# The flat file of the first version of the older program; put away, it is called `MEMORY.md.…`.
FLAT_NAME = "MEMORY.md"
_MAX_NAME_BYTES = MAX_FILE_NAME_BYTES - len(SUFFIX)
_TYPES = frozenset(Type)
_SHOWN_CHARS = 80


def valid_name(name: str) -> bool:
    """Whether `name` is a slug: `[a-z0-9]+(-[a-z0-9]+)*`, short enough to be a file's name."""
    return len(name) <= _MAX_NAME_BYTES and _is_slug(name)


def valid_type(legacy_type: str) -> bool:
    """Whether `legacy_type` is one of the four legacy types."""
    return legacy_type in _TYPES


def is_fact_file_name(file_name: str) -> bool:
    """Whether a file of that name is a fact: not reserved, not unfinished, ends in exactly `.md`.

    A name that is no slug is one as well: such a fact is listed, and named as a problem.
    """
    return (
        file_name.endswith(SUFFIX)
        and file_name not in {SUFFIX, FLAT_NAME}
        and not file_name.startswith(FLAT_NAME + ".")
        and not is_temporary_name(file_name)
    )


def check_name(name: str) -> str:
    """`name` itself when it is valid.

    Raises:
        ValueRefused: it is not a slug, or too long for a file name.
    """
    if not _is_slug(name):
        raise ValueRefused(
            f"{_shown(name)} is not a fact's name: use lower-case ASCII letters and digits in "
            "words joined by single hyphens, as in ci-uses-port-3306"
        )
    if len(name) > _MAX_NAME_BYTES:
        raise ValueRefused(
            f"{_shown(name)} has {len(name)} bytes; a fact's name has at most {_MAX_NAME_BYTES}: "
            "say it shorter, as in ci-uses-port-3306"
        )
    return name


def parse_id(text: str) -> tuple[Scope | None, str]:
    """The scope and name that an id stands for; the scope is None for a bare name.

    Raises:
        ValueRefused: anything but `project/NAME`, `global/NAME` or `NAME`.
    """
    if not isinstance(text, str):
        raise ValueRefused(not_text("the id", text), hint=FactNotFound.hint)
    try:
        first, slash, rest = text.partition("/")
        if not slash:
            return None, check_name(text)
        return parse_scope(first), check_name(rest)
    except ValueRefused as err:  # who gives an id looks for a fact, and does not write one
        raise ValueRefused(err.message, hint=FactNotFound.hint) from err


def fact_id(scope: Scope, name: str) -> str:
    """The canonical id: `project/NAME` or `global/NAME`."""
    return f"{scope.value}/{name}"


def _is_slug(name: str) -> bool:
    return name.isascii() and all(
        word.isalnum() and word == word.lower() for word in name.split("-")
    )


def _shown(name: str) -> str:
    return repr(name if len(name) <= _SHOWN_CHARS else name[:_SHOWN_CHARS] + "…")
