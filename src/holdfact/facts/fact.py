"""One fact: the value, and its file's grammar.

Reading is liberal, writing is strict (`rules.check`). A file is a header between two lines `---`,
each header line `key: value`, then the body. Bytes that are not UTF-8 are carried through as
surrogates, so that reading loses nothing.
"""

from __future__ import annotations

from holdfact.core.errors import FactUnreadable
from holdfact.core.record import NamedTuple
from holdfact.facts.lifecycle import Lifecycle, declared
from holdfact.facts.names import fact_id
from holdfact.facts.quoting import quote, unquote
from holdfact.facts.scope import Scope, written_type
from holdfact.facts.whitespace import trim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Memory", "ParsedFact", "is_conflict_marker", "parse", "serialize"]

_RULE = "---"
_BYTE_ORDER_MARK = "\ufeff"
_CONFLICT = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")  # how git begins its marker lines
_KNOWN_KEYS = {"name", "description", "type", "scope", "durable", "invalidate_when"}


class Memory(NamedTuple):
    """A single fact.

    Attributes:
        name: a slug; the file's name without `.md`.
        description: the one line that reaches the prompt, at most 180 bytes.
        scope: where it lives.
        body: the text, read on demand.
        type: the legacy type as the file has it; a write keeps a compatible one.
        invalidate_when: a condition that somebody else can check; empty when there is none.
        lifecycle: what the fact declares about its expiry.
        path: the absolute path of its file, set on read and list.
    """

    name: str
    description: str
    scope: Scope
    body: str = ""
    type: str | None = None
    invalidate_when: str = ""
    lifecycle: Lifecycle = Lifecycle.LEGACY
    path: str | None = None

    @property
    def id(self) -> str:
        """`project/NAME` or `global/NAME`."""
        return fact_id(self.scope, self.name)

    def __repr__(self) -> str:
        """With its name at the top of the package, where `Memory` is the memory as a whole."""
        shown = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"Fact({shown})"


class ParsedFact(NamedTuple):
    """What a fact's file says.

    Attributes:
        header: each key's value without its quotes; the last duplicate wins.
        kept_lines: header lines that are not ours; a rewrite preserves them in this order.
        invalidate_when: the condition, Go literals read.
        lifecycle: what the header declares.
        body: the text after the header, without line feeds at both ends.
        first_body_line: the line of the file, from 1, on which `body` begins; without a body that
            of the description.
        is_utf8: false when some bytes are carried as surrogates.
    """

    header: dict[str, str]
    kept_lines: tuple[str, ...]
    invalidate_when: str
    lifecycle: Lifecycle
    body: str
    first_body_line: int
    is_utf8: bool

    def as_memory(self, name: str, scope: Scope, path: str | None = None) -> Memory:
        """The fact; its name comes from the file's name and its scope from the folder."""
        return Memory(
            name,
            self.header.get("description", ""),
            scope,
            self.body,
            self.header.get("type") or None,
            self.invalidate_when,
            self.lifecycle,
            path,
        )

    @property
    def has_conflict(self) -> bool:
        """Whether a merge left its conflict markers in the header."""
        return any(map(is_conflict_marker, self.kept_lines))

    def warnings(self, name: str, scope: Scope) -> list[str]:
        """Where the header differs from the file's name or folder, which decide."""
        return [
            f"the header says {key}: {said}, but the file's place says {real}"
            for key, real in (("name", name), ("scope", scope.value))
            if (said := self.header.get(key, real)) != real
        ]


def is_conflict_marker(line: str) -> bool:
    """Whether the line of a header is one that git writes around a conflict."""
    return line.startswith(_CONFLICT)


def parse(data: bytes, path: str = "the fact") -> ParsedFact:
    """Read a fact's file.

    Args:
        data: the file's bytes.
        path: how an error names the file.

    Raises:
        FactUnreadable: the header is missing or unterminated.
    """
    text, is_utf8 = _decoded(data)
    lines, body_start = _split(text, path)
    header, raw_condition, kept = _header(lines)
    condition = _condition(raw_condition, header.get("invalidate_when", ""))
    body = text[body_start:]
    without_lead = body.lstrip("\n")
    first_line = len(lines) + 3 + len(body) - len(without_lead)
    return ParsedFact(
        header,
        kept,
        condition,
        declared(is_durable=header.get("durable") == "true", invalidate_when=condition),
        without_lead.rstrip("\n"),
        first_line if without_lead else _description_line(lines),
        is_utf8,
    )


def _description_line(lines: list[str]) -> int:
    """The line of the file with the description (the last one wins), else the first."""
    at = [
        number
        for number, line in enumerate(lines, 2)
        if trim(line.partition(":")[0]) == "description"
    ]
    return at[-1] if at else 1


def _decoded(data: bytes) -> tuple[str, bool]:
    try:
        text, is_utf8 = data.decode(), True
    except UnicodeDecodeError:
        text, is_utf8 = data.decode("utf-8", "surrogateescape"), False
    return text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n"), is_utf8


def _split(text: str, path: str) -> tuple[list[str], int]:
    """The header's lines, and where the text after its closing rule begins."""
    end = text.find("\n")
    first = text if end < 0 else text[:end]
    if trim(first) != _RULE:
        raise FactUnreadable(f"{path}: the frontmatter is missing: its first line must be {_RULE}")
    lines: list[str] = []
    while end >= 0:
        start = end + 1
        end = text.find("\n", start)
        line = text[start:] if end < 0 else text[start:end]
        if trim(line) == _RULE:
            return lines, len(text) if end < 0 else end + 1
        lines.append(line)
    raise FactUnreadable(f"{path}: the frontmatter is unterminated: no line {_RULE} closes it")


def _header(lines: list[str]) -> tuple[dict[str, str], str, tuple[str, ...]]:
    header: dict[str, str] = {}
    kept: list[str] = []
    raw_condition = ""
    for line in lines:
        key, _, raw = line.partition(":")
        key, raw = trim(key), trim(raw)
        if key in _KNOWN_KEYS and ":" in line:
            header[key] = _without_quotes(raw)
            if key == "invalidate_when":
                raw_condition = raw
            continue
        if key and ":" in line:
            header[key] = _without_quotes(raw)
        if key or raw:
            kept.append(line)
    return header, raw_condition, tuple(kept)


def _without_quotes(value: str) -> str:
    if len(value) >= len('""') and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def _condition(raw: str, stripped: str) -> str:
    literal = unquote(raw)
    if literal is None or "\n" in literal or "\r" in literal:
        return stripped
    return literal


def serialize(memory: Memory, kept_lines: Sequence[str] = ()) -> bytes:
    """The bytes of a checked fact's file.

    Args:
        memory: what `check` returned.
        kept_lines: header lines of the file before, written behind ours.
    """
    lines = [
        _RULE,
        f"name: {memory.name}",
        f"description: {memory.description}",
        f"scope: {memory.scope.value}",
        f"type: {written_type(memory.type, memory.scope)}",
    ]
    if memory.lifecycle is Lifecycle.DURABLE:
        lines.append("durable: true")
    if memory.invalidate_when:
        lines.append(f"invalidate_when: {quote(memory.invalidate_when)}")
    lines += [line.rstrip("\r") for line in kept_lines]
    text = "\n".join([*lines, _RULE, "", memory.body.rstrip("\n"), ""])
    return text.encode("utf-8", "surrogateescape")
