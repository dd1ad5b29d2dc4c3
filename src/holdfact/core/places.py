"""Where things are: the user's folders, a project's root, and a project's state folder.

`HOLDFACT_HOME` stands for every user folder. Without it Linux follows the XDG base directory
specification and macOS uses `~/Library`. Nothing here creates anything, except `state_folder` and
`claim_state`.
"""

from __future__ import annotations

import os
import sys

from holdfact.core import git
from holdfact.core.digest import path_key
from holdfact.core.errors import (
    ConfigError,
    FileUnreadable,
    FileUnwritable,
    NotAProject,
    UsageError,
)
from holdfact.core.files import (
    is_temporary_name,
    make_folder,
    make_private,
    read_bounded,
    write_atomic,
)
from holdfact.core.limits import MAX_RECORD_BYTES
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "HOME_VARIABLE",
    "INSTANCE_FILE",
    "PROJECT_FILE",
    "Home",
    "claim_state",
    "home_folder",
    "project_root",
    "state_folder",
    "state_path",
    "user_config_file",
    "user_folder",
]

HOME_VARIABLE = "HOLDFACT_HOME"
PROJECT_FILE = "holdfact.toml"
USER_FILE = "config.toml"
INSTANCE_FILE = "instance.json"
_NAME = "holdfact"


class Home(NamedTuple):
    """The user's folders, absolute; they need not exist.

    Attributes:
        config: `config.toml`, `global/`, `codebases/`.
        state: one folder per project root, and the record of trusted projects.
        cache: what may be deleted at any time.
    """

    config: str
    state: str
    cache: str


def home_folder(environ: Mapping[str, str] | None = None) -> Home:
    """The user's folders; an empty variable counts as unset.

    Raises:
        ConfigError: `HOLDFACT_HOME` is not absolute, or there is no home folder at all.
    """
    environ = os.environ if environ is None else environ
    own = environ.get(HOME_VARIABLE, "")
    if own:
        if not os.path.isabs(own) or "\0" in own:
            raise ConfigError(
                f"{HOME_VARIABLE} is {own!r}, but must be an absolute path",
                hint=f"a relative one would be another folder in each place; set {HOME_VARIABLE}"
                " to an absolute path",
            )
        own = os.path.normpath(own)
        return Home(own, os.path.join(own, "state"), os.path.join(own, "cache"))
    user = user_folder(environ)
    if user is None:
        raise ConfigError(
            "there is no home folder: HOME is not an absolute path",
            hint=f"set {HOME_VARIABLE} to the folder that shall hold configuration and state",
        )
    return _macos(user) if sys.platform == "darwin" else _xdg(user, environ)


def user_folder(environ: Mapping[str, str]) -> str | None:
    """The home folder of the user, or None when there is none."""
    home = environ.get("HOME", "")
    if not home:
        import pwd

        try:
            home = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            return None
    return os.path.normpath(home) if os.path.isabs(home) else None


def _macos(user: str) -> Home:
    support = os.path.join(user, "Library", "Application Support", _NAME)
    cache = os.path.join(user, "Library", "Caches", _NAME)
    return Home(support, os.path.join(support, "state"), cache)


def _xdg(user: str, environ: Mapping[str, str]) -> Home:
    def place(variable: str, *default: str) -> str:
        value = environ.get(variable, "")
        # The specification: a relative path is invalid and to be ignored.
        base = value if os.path.isabs(value) else os.path.join(user, *default)
        return os.path.join(os.path.normpath(base), _NAME)

    return Home(
        place("XDG_CONFIG_HOME", ".config"),
        place("XDG_STATE_HOME", ".local", "state"),
        place("XDG_CACHE_HOME", ".cache"),
    )


def user_config_file(home: Home) -> str:
    """The user's configuration file."""
    return os.path.join(home.config, USER_FILE)


def project_root(start: str, environ: Mapping[str, str] | None = None) -> str:
    """The root of the project that holds `start`, symbolic links resolved.

    The top level of git's working tree, else the nearest parent with `holdfact.toml`, else
    `start` itself.

    Raises:
        UsageError: `start` is missing or no folder.
        NotAProject: the root would be `/` or the home folder.
    """
    try:
        here = os.path.realpath(start)
    except FileNotFoundError as err:  # `start` is relative
        raise UsageError(
            "the working directory does not exist any more", hint="give -C an existing folder"
        ) from err
    if not os.path.isdir(here):
        what = "is not a folder" if os.path.lexists(here) else "does not exist"
        raise UsageError(f"{start} {what}", hint="give -C an existing folder")
    root = git.working_tree(here) or _with_project_file(here) or here
    _refuse_wide(root, here, os.environ if environ is None else environ)
    return root


def _with_project_file(here: str) -> str | None:
    while not os.path.lexists(os.path.join(here, PROJECT_FILE)):
        parent = os.path.dirname(here)
        if parent == here:
            return None
        here = parent
    return here


def _refuse_wide(root: str, here: str, environ: Mapping[str, str]) -> None:
    user = user_folder(environ)
    if root == "/":
        name = "the root of the file system"
    elif user is not None and root == os.path.realpath(user):
        name = "your home folder"
    else:
        return
    hint = None
    if root != here:
        hint = f"make {here} a project of its own (git init), or name another folder with -C"
    raise NotAProject(f"{root} is {name}, not a project", hint=hint)


def state_path(root: str, home: Home) -> str:
    """The state folder of a project root, which may not exist yet."""
    return os.path.join(home.state, path_key(os.path.realpath(root)))


def state_folder(root: str, home: Home) -> str:
    """The state folder of a project root: private, created when missing, and named after it.

    Raises:
        ConfigError: the folder belongs to another root.
        FileUnwritable: it can't be created.
    """
    return claim_state(state_path(root, home), root)


def claim_state(folder: str, root: str) -> str:
    """Make `folder` the state folder of `root`, unless it is another's already; returns it.

    Raises:
        ConfigError: its `instance.json` names another root or can't be read, or there is none in a
            folder that holds something else.
        FileUnwritable: it can't be created or made private.
    """
    make_folder(folder)
    path = os.path.join(folder, INSTANCE_FILE)
    wanted = _instance(os.path.realpath(root))
    is_used = _is_used(folder)  # before the name is read: another process may be claiming it
    found = _read_instance(path)
    if found is None and is_used:
        raise ConfigError(
            f"{folder} holds something else than the state of a project",
            hint="name an empty or a new folder; state is derived and is built again",
        )
    if found is not None and found != wanted:
        _refuse_other(path, found, root)
    _keep_private(folder, is_claimed=found is not None)
    if found is None:
        write_atomic(path, wanted)
    return folder


def _keep_private(folder: str, *, is_claimed: bool) -> None:
    """Make the folder private; one of ours that nobody can write to is read as it stands."""
    try:
        make_private(folder)
    except FileUnwritable:
        if not is_claimed or os.access(folder, os.W_OK):
            raise


def _is_used(folder: str) -> bool:
    try:
        return not all(map(is_temporary_name, os.listdir(folder)))
    except OSError as err:
        raise ConfigError(
            f"can't list {folder}: {err.strerror}", hint="name another state folder"
        ) from err


def _instance(root: str) -> bytes:
    text = root
    if not root.isascii() or not root.isprintable() or '"' in root or "\\" in root:
        import json

        text = json.dumps(root)[1:-1]
    return f'{{"schema": 1, "root": "{text}"}}\n'.encode()


def _read_instance(path: str) -> bytes | None:
    if not os.path.lexists(path):
        return None
    try:
        return read_bounded(path, MAX_RECORD_BYTES)
    except FileUnreadable as err:
        raise ConfigError(err.message, hint=f"look at {path}; it names its project") from err


def _refuse_other(path: str, found: bytes, root: str) -> None:
    import json

    try:
        other = json.loads(found)["root"]
    except (ValueError, KeyError, TypeError) as err:
        raise ConfigError(
            f"{path} does not name a project",
            hint=f"delete {os.path.dirname(path)}: state is derived and is built again",
        ) from err
    if other != os.path.realpath(root):
        raise ConfigError(
            f"{os.path.dirname(path)} is the state of {other}, not of {root}",
            hint="use another state folder; two projects never share one",
        )
