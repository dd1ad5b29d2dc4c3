"""Configuration: what the program is told, where from, and what it refused to be told.

A flag wins over the environment (`HOLDFACT_<SECTION>_<KEY>`), that over the project's
`holdfact.toml`, that over the user's `config.toml`, that over the default. A mistake in a file or a
variable is an error that names it; a setting that its place may not make, or that needs trust the
user has not given, is ignored and reported.
"""

from __future__ import annotations

import os

from holdfact.core import places
from holdfact.core.config_file import parse_file, project_file, read_file
from holdfact.core.config_keys import (
    BY_NAME,
    KEYS,
    TRUST_COMMAND,
    VARIABLE_PREFIX,
    Key,
    checked,
    parsed,
    variable,
)
from holdfact.core.errors import ConfigKeyUnknown, ConfigValueInvalid, ConfinementError
from holdfact.core.files import confine
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfact.core.config_keys import Value

__all__ = [
    "DEFAULT",
    "FLAG",
    "KEYS",
    "Config",
    "Ignored",
    "Key",
    "check_together",
    "known_key",
    "load",
    "take_setting",
]

DEFAULT = "default"
FLAG = "flag"
# Variables that are not settings.
_OTHER_VARIABLES = frozenset({places.HOME_VARIABLE, "HOLDFACT_DEBUG"})


class Ignored(NamedTuple):
    """A setting of the project that is not obeyed.

    Attributes:
        key: its full name.
        value: as the file has it.
        reason: why it is ignored.
        command: what the user may do about it.
    """

    key: str
    value: object
    reason: str
    command: str


class Config:
    """The settings in force.

    Attributes:
        root: the project's root, None outside a project.
        ignored: the project's settings that are not obeyed.
        unknown_variables: `HOLDFACT_` variables that mean nothing.
        user_file: the user's file, whether or not it exists.
        project_file: the project's, or None outside a project.
        is_project_trusted: whether the user trusts the project; false outside one.
    """

    def __init__(
        self, root: str | None, environ: Mapping[str, str], *, trusts_project: bool = False
    ) -> None:
        self.root = root
        self._trusts_project = trusts_project
        self.environ = environ
        self.home = home = places.home_folder(environ)
        self.user_file = places.user_config_file(home)
        self.project_file = None if root is None else project_file(root)
        self.ignored: list[Ignored] = []
        self.unknown_variables: list[str] = []
        self.project_bytes = b""
        self._values: dict[str, Value] = {}
        self._origins: dict[str, str] = {}

    def get(self, name: str) -> Value:
        """The value of a key, in the type of the key.

        Raises:
            ConfigKeyUnknown: there is no such key.
        """
        return self._values.get(name, known_key(name).default)

    def origin(self, name: str) -> str:
        """Where the value comes from: `default`, `environment NAME`, a file's path, or `flag`."""
        return self._origins.get(known_key(name).name, DEFAULT)

    def text(self, name: str) -> str:
        """The value of a choice."""
        value = self.get(name)
        assert isinstance(value, str)  # noqa: S101 - a wrong accessor is a programming error
        return value

    def path(self, name: str) -> str | None:
        """The value of a path, absolute; None when the key is not set."""
        return self.text(name) or None

    def integer(self, name: str) -> int:
        """The value of a number."""
        value = self.get(name)
        assert isinstance(value, int)  # noqa: S101 - a wrong accessor is a programming error
        return value

    def globs(self, name: str) -> tuple[str, ...]:
        """The value of a list of globs."""
        value = self.get(name)
        assert isinstance(value, tuple)  # noqa: S101 - a wrong accessor is a programming error
        return value

    def commands(self, name: str) -> dict[str, tuple[str, ...]]:
        """The value of a table of commands."""
        value = self.get(name)
        assert isinstance(value, dict)  # noqa: S101 - a wrong accessor is a programming error
        return dict(value)

    @property
    def is_project_trusted(self) -> bool:
        """Whether the user trusts the project as it was read; false outside a project."""
        if self._trusts_project or self.root is None:
            return self._trusts_project
        from holdfact.core.trust import is_trusted  # most projects ask for nothing that needs it

        return is_trusted(self.root, self.home, self.project_bytes)

    def put(self, key: Key, value: Value, origin: str) -> None:
        """Set a value that was checked, and where it comes from."""
        self._values[key.name] = value
        self._origins[key.name] = origin


def load(
    root: str | None,
    *,
    flags: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
    trusts_project: bool = False,
) -> Config:
    """Read the configuration that holds for a project.

    Args:
        root: the project's root, or None outside a project.
        flags: values from the command line by key, as text.
        environ: the environment; the process's own when left out.
        trusts_project: as if the user trusted the project, to see whether it would work then.

    Raises:
        ConfigError: a file, a variable or a flag is wrong; the message names it.
    """
    environ = os.environ if environ is None else environ
    config = Config(root, environ, trusts_project=trusts_project)
    _take_user_file(config)
    _take_project_file(config)
    _take_environment(config, environ)
    for name, text in (flags or {}).items():
        key = known_key(name)
        take_setting(config, key, parsed(key, text, "command line"), FLAG, "")
    check_together(config)
    return config


def check_together(config: Config) -> None:
    """Judge values that depend on each other.

    Raises:
        ConfigValueInvalid: the overlap is more than half of a chunk.
    """
    size, overlap = config.integer("engine.chunk_tokens"), config.integer("engine.chunk_overlap")
    if overlap * 2 > size:
        raise ConfigValueInvalid(
            f"engine.chunk_overlap is {overlap} ({config.origin('engine.chunk_overlap')}), but must"
            f" be at most half of engine.chunk_tokens, {size}"
            f" ({config.origin('engine.chunk_tokens')})"
        )


def known_key(name: str) -> Key:
    """The key of that name.

    Raises:
        ConfigKeyUnknown: there is none; the message names the nearest.
    """
    if name not in BY_NAME:
        from holdfact.core.config_keys import nearest

        guess = nearest(name)
        raise ConfigKeyUnknown(
            f"unknown key {name!r}" + (f"; did you mean {guess}?" if guess else "")
        )
    return BY_NAME[name]


def _take_user_file(config: Config) -> None:
    path = config.user_file
    data = read_file(path)
    if data is None:
        return
    for name, value in parse_file(path, data).items():
        key = BY_NAME[name]
        take_setting(config, key, checked(key, value, path), path, os.path.dirname(path))


def _take_project_file(config: Config) -> None:
    path = config.project_file
    data = None if path is None else read_file(path)
    if path is None or data is None:
        return
    config.project_bytes = data
    for name, value in parse_file(path, data).items():
        key = BY_NAME[name]
        ignored = _why_ignored(config, key, value)
        if ignored is None:
            take_setting(config, key, checked(key, value, path), path, None)
        else:
            config.ignored.append(ignored)


def _why_ignored(config: Config, key: Key, value: object) -> Ignored | None:
    if "project" not in key.places:
        reason = "it is read from the user's configuration only"
        return Ignored(key.name, value, reason, f"edit {config.user_file}")
    if key.needs_trust and not config.is_project_trusted:
        return Ignored(key.name, value, "the project is not trusted", TRUST_COMMAND)
    return None


def _take_environment(config: Config, environ: Mapping[str, str]) -> None:
    keys = {variable(key): key for key in KEYS if "environment" in key.places}
    for name in sorted(name for name in environ if name.startswith(VARIABLE_PREFIX)):
        key = keys.get(name)
        text = environ[name]
        if key is None:
            if name not in _OTHER_VARIABLES:
                config.unknown_variables.append(name)
        elif text:  # an empty variable counts as unset
            origin = f"environment {name}"
            take_setting(config, key, parsed(key, text, origin), origin, "")


def take_setting(config: Config, key: Key, value: Value, origin: str, base: str | None) -> None:
    """Keep a value. A path becomes absolute: relative to `base` (None: inside the project)."""
    if isinstance(value, str) and value and key.type in {"path", "inside"}:
        if key.type == "inside" and config.root is None:
            return
        if key.type == "inside" or base is None:
            value = _inside(config, key, value, origin)
        else:
            value = os.path.abspath(os.path.join(base, _expanded(value, config.environ)))
    config.put(key, value, origin)


def _inside(config: Config, key: Key, value: str, origin: str) -> str:
    try:
        return confine(value, config.root or "")
    except ConfinementError as err:
        raise ConfigValueInvalid(
            f"{origin}: {key.name} is {value!r}, but must be a path inside the project"
        ) from err


def _expanded(path: str, environ: Mapping[str, str]) -> str:
    if path != "~" and not path.startswith("~/"):
        return path
    return (places.user_folder(environ) or "~") + path[1:]
