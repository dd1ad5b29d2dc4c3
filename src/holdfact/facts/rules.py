"""The strict rules of writing a fact, in the order in which they are tried.

What would not read back as it was written is brought into the form that does, with a note; what
has no such form is refused. A refusal says what is wrong, the limit, and a good value.
"""

from __future__ import annotations

from holdfact.core.errors import ValueRefused
from holdfact.core.limits import (
    ADVISED_DESCRIPTION_BYTES,
    MAX_DESCRIPTION_BYTES,
    MAX_FACT_BYTES,
)
from holdfact.core.record import NamedTuple
from holdfact.core.words import not_text
from holdfact.facts.fact import Memory, serialize
from holdfact.facts.lifecycle import Lifecycle, declared
from holdfact.facts.names import check_name
from holdfact.facts.scope import Scope
from holdfact.facts.whitespace import WHITE_SPACE, is_blank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Checked", "check", "serialize_checked"]

_GOOD_DESCRIPTION = 'a good one is one short line: "Integration tests need the tunnel on port 3306"'
_GOOD_CONDITION = '"when tag v2.0 exists"'
_LAST_C0, _FIRST_C1, _LAST_C1 = "\x1f", "\x7f", "\x9f"  # DEL stands just before C1


class Checked(NamedTuple):
    """A fact as it will be written and read back, and what was changed to make it so."""

    memory: Memory
    notes: list[str]


def check(memory: Memory) -> Checked:
    """The form of `memory` that is written, and a note for each change and piece of advice.

    Raises:
        ValueRefused: a value breaks a rule or a limit; nothing was written.
    """
    notes: list[str] = []
    _check_texts(memory)
    check_name(memory.name)
    _check_kinds(memory)
    description = _description(memory.description, notes)
    condition, lifecycle = _lifecycle(memory)
    body = _body(memory.body, notes)
    checked = memory._replace(
        description=description, invalidate_when=condition, lifecycle=lifecycle, body=body
    )
    serialize_checked(checked)
    length = len(description.encode())
    if length > ADVISED_DESCRIPTION_BYTES:
        notes.append(
            f"the description has {length} bytes (limit {MAX_DESCRIPTION_BYTES}); every prompt "
            f"pays for it, up to {ADVISED_DESCRIPTION_BYTES} reads better"
        )
    _advise_condition(condition, notes)
    return Checked(checked, notes)


def _advise_condition(condition: str, notes: list[str]) -> None:
    from holdfact.facts.conditions import parse_condition

    if condition and parse_condition(condition) is None:
        notes.append(
            "holdfact can't check this condition, so review leaves it to you; `holdfact review "
            "--help` lists what it can check"
        )


def _check_texts(memory: Memory) -> None:
    """Refuse what no type checker saw: something that is no fact, or a field that is no text."""
    if not isinstance(memory, Memory):
        raise ValueRefused(
            f"what to remember is a {type(memory).__name__}, but must be a fact, as in "
            'holdfact.Fact("ci-port", "CI uses port 3306", Scope.PROJECT)'
        )
    for field in ("name", "description", "body", "invalidate_when"):
        if not isinstance(value := getattr(memory, field), str):
            raise ValueRefused(not_text(field, value))


def _check_kinds(memory: Memory) -> None:
    """Refuse a plain text where a member of an enumeration belongs, as a caller may write it."""
    for name, kind, good in (
        ("scope", Scope, "Scope.PROJECT"),
        ("lifecycle", Lifecycle, "Lifecycle.DURABLE"),
    ):
        if not isinstance(value := getattr(memory, name), kind):
            raise ValueRefused(f"{name} is {value!r}, but must be a {kind.__name__}, as in {good}")


def serialize_checked(memory: Memory, kept_lines: Sequence[str] = ()) -> bytes:
    """The bytes of the fact's file.

    Raises:
        ValueRefused: the file would be larger than a fact may be.
    """
    data = serialize(memory, kept_lines)
    if len(data) > MAX_FACT_BYTES:
        raise ValueRefused(
            f"the fact would have {len(data)} bytes, the limit is {MAX_FACT_BYTES} with its "
            "header: split it, or keep only a link to the long text, as in "
            '"the runbook is docs/runbook.md"'
        )
    return data


def _description(text: str, notes: list[str]) -> str:
    if is_blank(text):
        raise ValueRefused(f"the description is missing; {_GOOD_DESCRIPTION}")
    if "\n" in text or "\r" in text:
        raise ValueRefused(f"the description has a line break; {_GOOD_DESCRIPTION}")
    control = next((c for c in text if c <= _LAST_C0 or _FIRST_C1 <= c <= _LAST_C1), None)
    if control is not None:
        raise ValueRefused(
            f"the description has a control character (U+{ord(control):04X}); {_GOOD_DESCRIPTION}"
        )
    _check_unicode("description", text)
    plain = _plain(text)
    if not plain:
        raise ValueRefused(f"the description is only quotes; {_GOOD_DESCRIPTION}")
    length = len(plain.encode())
    if length > MAX_DESCRIPTION_BYTES:
        raise ValueRefused(
            f"the description has {length} bytes, the limit is {MAX_DESCRIPTION_BYTES}; keep the "
            f"detail in the body; {_GOOD_DESCRIPTION}"
        )
    if plain != text:
        notes.append("the description is kept without the spaces or quotes around it")
    return plain


def _plain(text: str) -> str:
    """`text` without what a reader would take off: outer white space and pairs of quotes."""
    first, last = 0, len(text)
    while True:  # by position: a copy for each of a hundred thousand quotes would take minutes
        while first < last and text[first] in WHITE_SPACE:
            first += 1
        while first < last and text[last - 1] in WHITE_SPACE:
            last -= 1
        if last - first < len('""') or text[first] != text[last - 1] or text[first] not in "\"'":
            return text[first:last]
        first, last = first + 1, last - 1


def _lifecycle(memory: Memory) -> tuple[str, Lifecycle]:
    condition = "" if is_blank(memory.invalidate_when) else memory.invalidate_when
    is_durable = memory.lifecycle is Lifecycle.DURABLE
    if condition and is_durable:
        raise ValueRefused(
            "the fact is durable and has invalidate_when; declare one of them: a condition that "
            f"somebody else can check, as in {_GOOD_CONDITION}, or durable for what stays true"
        )
    if not condition and not is_durable:
        raise ValueRefused(
            "the fact declares no lifecycle; give invalidate_when a condition that somebody else "
            f"can check, as in {_GOOD_CONDITION}, or declare it durable when it stays true"
        )
    if "\n" in condition or "\r" in condition:
        raise ValueRefused(
            f"invalidate_when has a line break; it is one line, as in {_GOOD_CONDITION}"
        )
    _check_unicode("invalidate_when", condition)
    return condition, declared(is_durable=is_durable, invalidate_when=condition)


def _body(text: str, notes: list[str]) -> str:
    _check_unicode("body", text)
    # A line end is LF with every CR before it: taking them off in pairs would leave new pairs.
    plain = "\n".join(line.rstrip("\r") for line in text.split("\n")).lstrip("\n").rstrip("\r\n")
    if plain != text.rstrip("\n"):
        notes.append("the body is kept with LF line ends and without blank lines at its start")
    return plain


def _check_unicode(field: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as err:
        raise ValueRefused(
            f"the {field} is not valid Unicode text at character {err.start}: it must be encodable "
            'as UTF-8, as "café" is'
        ) from err
