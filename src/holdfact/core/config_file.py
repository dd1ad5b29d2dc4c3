"""One configuration file: read, and judged against the keys."""

from __future__ import annotations

import os

from holdfact.core.config_keys import BY_NAME, KEYS, nearest
from holdfact.core.errors import (
    ConfigError,
    ConfigKeyUnknown,
    ConfigValueInvalid,
    ConfinementError,
    FileUnreadable,
)
from holdfact.core.files import confine, read_bounded
from holdfact.core.limits import MAX_CONFIG_BYTES, MAX_CONFIG_KEY_PARTS
from holdfact.core.places import PROJECT_FILE

__all__ = ["parse_file", "project_file", "read_file"]

_SECTIONS = frozenset(key.name.split(".")[0] for key in KEYS)
_SHOWN_CHARS = 80


def project_file(root: str) -> str:
    """The project's configuration file, which may not exist.

    Raises:
        ConfigError: it is a symbolic link that leads out of the project.
    """
    try:
        return confine(PROJECT_FILE, root)
    except ConfinementError as err:
        raise ConfigError(err.message, hint=f"make {PROJECT_FILE} a file of the project") from err


def read_file(path: str) -> bytes | None:
    """The bytes of a configuration file, None when there is none.

    Raises:
        ConfigError: it exists but can't be read, or is larger than `MAX_CONFIG_BYTES`.
    """
    if not os.path.lexists(path):
        return None
    try:
        return read_bounded(path, MAX_CONFIG_BYTES)
    except FileUnreadable as err:
        raise ConfigError(err.message, hint=f"mend or remove {path}") from err


def parse_file(path: str, data: bytes) -> dict[str, object]:
    """The settings of a file by their full names, each known; values are not yet judged.

    Raises:
        ConfigError: not UTF-8, or not TOML; names the file and the line.
        ConfigKeyUnknown: names the file, the key and the nearest known one.
        ConfigValueInvalid: a section is not a table.
    """
    settings: dict[str, object] = {}
    for section, content in _parse_toml(path, data).items():
        if section not in _SECTIONS:
            raise _unknown(path, section, "section")
        if not isinstance(content, dict):
            raise ConfigValueInvalid(f"{path}: {section} must be a table: [{section}]")
        for key, value in content.items():
            name = f"{section}.{key}"
            if name not in BY_NAME:
                raise _unknown(path, name, "key")
            settings[name] = value
    return settings


def _parse_toml(path: str, data: bytes) -> dict[str, object]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        line = data.count(b"\n", 0, err.start) + 1
        raise ConfigError(f"{path} is not UTF-8 (line {line})", hint=f"mend {path}") from err
    _refuse_deep_keys(path, text)
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as err:  # also a number of more digits than Python reads
        raise ConfigError(f"{path} is not TOML: {err}", hint=f"mend {path}") from err


def _refuse_deep_keys(path: str, text: str) -> None:
    """Stop before the parser spends the square of a dotted key's parts: it could take hours."""
    import re

    part = r"""(?:[\w-]{1,200}+|"(?:[^"\\\n]|\\.){0,200}+"|'[^'\n]{0,200}+')"""
    if re.search(rf"(?<![\w-])(?:{part}[ \t]*+\.[ \t]*+){{{MAX_CONFIG_KEY_PARTS}}}", text):
        raise ConfigError(
            f"{path} has a key of more than {MAX_CONFIG_KEY_PARTS} parts", hint=f"mend {path}"
        )


def _unknown(path: str, name: str, what: str) -> ConfigKeyUnknown:
    guess = nearest(name)
    tail = f"; did you mean {guess}?" if guess else ""
    return ConfigKeyUnknown(f"{path}: unknown {what} {name[:_SHOWN_CHARS]!r}{tail}")
