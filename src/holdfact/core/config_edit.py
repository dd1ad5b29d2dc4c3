"""Changing one setting of a configuration file, its comments and order kept.

`tomlkit` is imported here only, so only `config set` and `config unset` pay for it.
"""

from __future__ import annotations

import os

from holdfact.core.config import Config, check_together, known_key, take_setting
from holdfact.core.config_file import parse_file, read_file
from holdfact.core.config_keys import BY_NAME, checked, parsed
from holdfact.core.errors import ConfigError, ConfigValueInvalid, UsageError
from holdfact.core.files import FILE_MODE, make_folder, remove_leftovers, write_atomic
from holdfact.core.limits import CONFIG_LOCK_TIMEOUT_S, MAX_CONFIG_BYTES
from holdfact.core.locks import locked
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    import tomlkit


__all__ = ["Unset", "set_value", "unset_value"]

# A project's file is committed and read by others.
_PROJECT_FILE_MODE = 0o644


class Unset(NamedTuple):
    """What `unset_value` did.

    Attributes:
        file: the path of the file.
        was_set: whether the key stood there.
    """

    file: str
    was_set: bool


def set_value(config: Config, name: str, text: str, *, project: bool) -> str:
    """Write a setting into the user's file, or the project's; returns the file's path.

    Raises:
        ConfigError: the key, the value or the place is wrong; nothing is written.
        FileUnwritable: the file system refused.
    """
    key = known_key(name)
    place = "project" if project else "user"
    if place not in key.places:
        raise ConfigError(
            f"{key.name} can't be set in the project's file",
            hint=f"holdfact config set {key.name} VALUE",
        )
    if key.type == "commands":
        raise ConfigError(
            f"{key.name} is a table; config set writes single values",
            hint=f"edit {config.user_file}",
        )
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise ConfigValueInvalid(
            f"the new value of {key.name} is not UTF-8, which a configuration file must be"
        )
    value = parsed(key, text, "the new value")
    section, own_name = key.name.split(".")

    def change(document: tomlkit.TOMLDocument) -> None:
        import tomlkit

        if section not in document:
            document[section] = tomlkit.table()
        document[section][own_name] = list(value) if isinstance(value, tuple) else value

    return _edit(config, change, project=project)


def unset_value(config: Config, name: str, *, project: bool) -> Unset:
    """Remove a setting from the user's file, or the project's; an empty section stays.

    Raises:
        ConfigError: the key is unknown, or the file can't be read.
        FileUnwritable: the file system refused.
    """
    section, own_name = known_key(name).name.split(".")
    was_set = False

    def change(document: tomlkit.TOMLDocument) -> None:
        nonlocal was_set
        was_set = document.get(section, {}).pop(own_name, None) is not None

    return Unset(_edit(config, change, project=project), was_set)


def _edit(config: Config, change: Callable[[tomlkit.TOMLDocument], None], *, project: bool) -> str:
    path = config.project_file if project else os.path.realpath(config.user_file)
    if path is None:
        raise UsageError("there is no project here", hint="go to the project's folder, or use -C")
    make_folder(config.home.state)
    lock = os.path.join(config.home.state, "config.lock")
    with locked(lock, timeout_s=CONFIG_LOCK_TIMEOUT_S):
        before = read_file(path)
        after = _changed(path, before or b"", change)
        _judge(config, path, after, project=project)
        if after != (before or b""):
            make_folder(os.path.dirname(path))
            remove_leftovers(os.path.dirname(path))
            write_atomic(path, after, mode=_mode(path, project=project))
    return path


def _changed(path: str, data: bytes, change: Callable[[tomlkit.TOMLDocument], None]) -> bytes:
    parse_file(path, data)  # a file that is wrong already is mended by hand
    import tomlkit

    document = tomlkit.parse(data.decode("utf-8-sig"))
    change(document)
    return tomlkit.dumps(document).encode()


def _judge(config: Config, path: str, data: bytes, *, project: bool) -> None:
    """Refuse to write what `load` would refuse to read."""
    if len(data) > MAX_CONFIG_BYTES:
        raise ConfigValueInvalid(f"{path} would have {len(data)} bytes, not {MAX_CONFIG_BYTES}")
    trial = Config(config.root, config.environ)
    base = None if project else os.path.dirname(path)
    for name, value in parse_file(path, data).items():
        take_setting(trial, BY_NAME[name], checked(BY_NAME[name], value, path), path, base)
    check_together(trial)


def _mode(path: str, *, project: bool) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        return _PROJECT_FILE_MODE if project else FILE_MODE
