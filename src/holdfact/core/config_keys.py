"""The configuration's keys, as data: a new setting is one more row of `KEYS`.

Only keys that something reads stand here. `checked` turns a value of a file into the value that
the program uses, `parsed` does the same for the text of an environment variable or a flag.
"""

from __future__ import annotations

from holdfact.core.errors import ConfigValueInvalid
from holdfact.core.limits import (
    CHUNK_OVERLAP_TOKENS,
    CHUNK_TOKENS,
    DEFAULT_RECALL_K,
    MAX_CHUNK_TOKENS,
    MAX_CONFIG_LIST_ITEMS,
    MAX_CONFIG_VALUE_CHARS,
    MAX_CONFIGURED_SOURCE_BYTES,
    MAX_RECALL_K,
    MAX_SOURCE_BYTES,
    MIN_CHUNK_TOKENS,
)
from holdfact.core.record import NamedTuple

__all__ = [
    "BY_NAME",
    "KEYS",
    "TRUST_COMMAND",
    "VARIABLE_PREFIX",
    "Key",
    "Value",
    "allowed",
    "checked",
    "nearest",
    "parsed",
    "variable",
]

Value = str | int | bool | tuple[str, ...] | dict[str, tuple[str, ...]]
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Place = Literal["user", "project", "environment", "flag"]
    KeyType = Literal["path", "inside", "globs", "integer", "choice", "commands"]
else:
    Place = KeyType = str

_ANYWHERE: tuple[Place, ...] = ("flag", "environment", "project", "user")
_USER_ONLY: tuple[Place, ...] = ("user",)
VARIABLE_PREFIX = "HOLDFACT_"
TRUST_COMMAND = "holdfact config trust"
_MAX_DIGITS = 19
_SHOWN_CHARS = 80


class Key(NamedTuple):
    """One setting.

    Attributes:
        name: `section.key`, as it stands in a file.
        type: what a value may be; see `allowed`.
        default: used when no place sets the key. The empty path means: not set.
        meaning: one sentence for a person.
        places: who may set it; a value from elsewhere is ignored and reported.
        needs_trust: whether a project's file is obeyed only after `holdfact config trust`.
        least: smallest integer.
        most: largest integer.
        choices: the values of a `choice`.
    """

    name: str
    type: KeyType
    default: Value
    meaning: str
    places: tuple[Place, ...] = _ANYWHERE
    needs_trust: bool = False
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()


KEYS: tuple[Key, ...] = (
    Key(
        "facts.root",
        "path",
        "",
        "Folder that holds `global/` and `codebases/`; unset means the configuration folder. The"
        " first fact makes it, in a folder that exists; until then each command says that it is not"
        " there yet. What is not a folder, or would be in none, is an error.",
        needs_trust=True,
    ),
    Key(
        "facts.project_dir",
        "inside",
        "",
        "Folder inside the project that keeps its facts, to share them through git.",
    ),
    Key(
        "engine.sources",
        "globs",
        ("**/*.md", "**/*.mdx", "**/*.markdown"),
        "Globs of the project's documents, relative to its root.",
    ),
    Key("engine.exclude", "globs", (), "Globs of documents and folders that are left out."),
    Key(
        "engine.chunk_tokens",
        "integer",
        CHUNK_TOKENS,
        "Largest chunk, in estimated tokens, overlap included.",
        least=MIN_CHUNK_TOKENS,
        most=MAX_CHUNK_TOKENS,
    ),
    Key(
        "engine.chunk_overlap",
        "integer",
        CHUNK_OVERLAP_TOKENS,
        "Tokens that a chunk repeats from the one before; at most half of engine.chunk_tokens.",
        most=MAX_CHUNK_TOKENS // 2,
    ),
    Key(
        "engine.max_file_bytes",
        "integer",
        MAX_SOURCE_BYTES,
        "Larger documents are skipped, and listed as skipped.",
        least=1,
        most=MAX_CONFIGURED_SOURCE_BYTES,
    ),
    Key(
        "recall.mode",
        "choice",
        "hybrid",
        "How recall searches when it is not told.",
        choices=("hybrid", "lexical", "vector"),
    ),
    Key(
        "recall.k",
        "integer",
        DEFAULT_RECALL_K,
        "How many hits recall shows when it is not told.",
        least=1,
        most=MAX_RECALL_K,
    ),
    Key(
        "review.commands",
        "commands",
        {},
        "Commands that a fact's condition may name, each a list: program, then arguments.",
        places=_USER_ONLY,
    ),
)
BY_NAME: dict[str, Key] = {key.name: key for key in KEYS}


def variable(key: Key) -> str:
    """The environment variable of a key: `HOLDFACT_ENGINE_CHUNK_TOKENS`."""
    return VARIABLE_PREFIX + key.name.replace(".", "_").upper()


def allowed(key: Key) -> str:
    """What a value of the key may be, for messages and for `config keys`."""
    if key.type == "integer":
        return f"a whole number from {key.least} to {key.most}"
    if key.type == "choice":
        return "one of " + ", ".join(key.choices)
    if key.type == "globs":
        return f"a list of at most {MAX_CONFIG_LIST_ITEMS} globs relative to the project root"
    if key.type == "commands":
        return 'a table of lists, such as tests = ["make", "test"]'
    if key.type == "inside":
        return f"a path inside the project, of at most {MAX_CONFIG_VALUE_CHARS} characters"
    return f"a path of at most {MAX_CONFIG_VALUE_CHARS} characters"


def nearest(name: str) -> str | None:
    """The known key that looks most like `name`, if any does."""
    import difflib

    if "." not in name:
        sections = sorted({key.name.split(".")[0] for key in KEYS})
        found = difflib.get_close_matches(name, sections, 1)
    else:
        found = difflib.get_close_matches(name, sorted(BY_NAME), 1)
    return found[0] if found else None


def parsed(key: Key, text: str, where: str) -> Value:
    """The value that a text means: from a variable, a flag, or `config set`.

    A list is split at line ends when the text has any, else at commas; blank pieces are dropped.

    Raises:
        ConfigValueInvalid: the text is not a value of the key; `where` says whose text it is.
    """
    value: object = text
    if key.type == "integer":
        digits = text.strip()
        is_plain = digits.isascii() and digits.removeprefix("-").isdigit()
        is_number = is_plain and len(digits) <= _MAX_DIGITS
        value = int(digits) if is_number else text
    elif key.type == "globs":
        pieces = text.split("\n") if "\n" in text else text.split(",")
        value = [piece.strip() for piece in pieces if piece.strip()]
    return checked(key, value, where)


def checked(key: Key, value: object, where: str) -> Value:
    """`value` as the program uses it.

    Raises:
        ConfigValueInvalid: wrong type or out of range; names `where`, key, value, what is allowed.
    """
    good = _CHECKS[key.type](key, value)
    if good is None:
        raise ConfigValueInvalid(
            f"{where}: {key.name} is {_shown(value)}, but must be {allowed(key)}"
        )
    return good


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number too long for Python to print in decimal
        return "a number of thousands of digits"
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"


def _integer(key: Key, value: object) -> Value | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if key.least <= value <= key.most else None


def _choice(key: Key, value: object) -> Value | None:
    return value if isinstance(value, str) and value in key.choices else None


def _path(_key: Key, value: object) -> Value | None:
    return value if isinstance(value, str) and _is_plain(value) else None


def _globs(_key: Key, value: object) -> Value | None:
    from holdfact.core.globs import is_glob

    if not isinstance(value, (list, tuple)) or len(value) > MAX_CONFIG_LIST_ITEMS:
        return None
    if not all(isinstance(item, str) and is_glob(item) for item in value):
        return None
    return tuple(value)


def _commands(_key: Key, value: object) -> Value | None:
    if not isinstance(value, dict) or len(value) > MAX_CONFIG_LIST_ITEMS:
        return None
    if not all(_is_command(argv) for argv in value.values()):
        return None
    return {name: tuple(argv) for name, argv in value.items()}


def _is_command(argv: object) -> bool:
    if not isinstance(argv, (list, tuple)) or not 0 < len(argv) <= MAX_CONFIG_LIST_ITEMS:
        return False
    return all(isinstance(word, str) and "\0" not in word for word in argv) and bool(argv[0])


def _is_plain(text: str) -> bool:
    return len(text) <= MAX_CONFIG_VALUE_CHARS and "\0" not in text and text.strip() == text


_CHECKS = {
    "integer": _integer,
    "choice": _choice,
    "path": _path,
    "inside": _path,
    "globs": _globs,
    "commands": _commands,
}
