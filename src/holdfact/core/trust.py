"""Which projects the user trusts.

A project's `holdfact.toml` and the facts inside the repository come from whoever wrote it. Trust
is recorded in the user's state by the root's path and the SHA-256 of `holdfact.toml` (of no bytes
where there is none): an edit of that file, also by `config set --project`, ends it. The facts
themselves are not part of the hash: sharing them through git means that they change with every
pull, and a question asked at every pull is answered without reading.
"""

from __future__ import annotations

import os

from holdfact.core.config_file import parse_file, project_file, read_file
from holdfact.core.config_keys import BY_NAME, TRUST_COMMAND
from holdfact.core.digest import sha256_hex
from holdfact.core.errors import ConfigError, FileUnreadable
from holdfact.core.files import make_folder, read_bounded, remove_leftovers, write_atomic
from holdfact.core.limits import CONFIG_LOCK_TIMEOUT_S, MAX_RECORD_BYTES
from holdfact.core.locks import locked
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.core.places import Home

__all__ = ["Description", "describe", "distrust", "is_trusted", "trust"]

_RECORD = "trust.json"
_FACTS_KEY = "facts.project_dir"


class Description(NamedTuple):
    """What trusting a project would allow.

    Attributes:
        root: the project's root, canonical.
        file: its `holdfact.toml`, whether or not there is one.
        sha256: of that file's bytes; give it to `trust`, so that what was shown is what is trusted.
        is_trusted: whether it is trusted as it stands.
        settings: (key, value) of the settings that would be obeyed.
        facts_folder: the folder inside the project whose facts would reach prompts, or None.
    """

    root: str
    file: str
    sha256: str
    is_trusted: bool
    settings: tuple[tuple[str, object], ...]
    facts_folder: str | None


def is_trusted(root: str, home: Home, project_bytes: bytes | None = None) -> bool:
    """Whether the user trusts the project with these bytes of `holdfact.toml`.

    Args:
        root: the project's root.
        home: the user's folders.
        project_bytes: what was read from `holdfact.toml`; read here when left out.

    Raises:
        ConfigError: the record is damaged.
    """
    trusted = _read_record(home).get(os.path.realpath(root))
    if trusted is None:
        return False
    if project_bytes is None:
        project_bytes = read_file(project_file(root))
    return trusted == sha256_hex(project_bytes or b"")


def describe(root: str, home: Home) -> Description:
    """What `trust` would allow, as the project stands now.

    Raises:
        ConfigError: `holdfact.toml` can't be read or is wrong.
    """
    path = project_file(root)
    data = read_file(path)
    settings = {} if data is None else parse_file(path, data)
    folder = settings.get(_FACTS_KEY)
    return Description(
        root=os.path.realpath(root),
        file=path,
        sha256=sha256_hex(data or b""),
        is_trusted=is_trusted(root, home, data or b""),
        settings=tuple((key, settings[key]) for key in settings if BY_NAME[key].needs_trust),
        facts_folder=folder if isinstance(folder, str) and folder else None,
    )


def trust(root: str, home: Home, *, sha256: str) -> None:
    """Trust the project as it was described.

    Args:
        root: the project's root.
        home: the user's folders.
        sha256: of the description that the user saw.

    Raises:
        ConfigError: `holdfact.toml` changed since.
    """
    path = project_file(root)
    if sha256_hex(read_file(path) or b"") != sha256:
        raise ConfigError(f"{path} changed since it was shown", hint=TRUST_COMMAND)
    _record(home, os.path.realpath(root), sha256)


def distrust(root: str, home: Home) -> None:
    """Forget that the project was trusted."""
    _record(home, os.path.realpath(root), None)


def _record(home: Home, root: str, sha256: str | None) -> None:
    import json

    make_folder(home.state)
    with locked(os.path.join(home.state, _RECORD + ".lock"), timeout_s=CONFIG_LOCK_TIMEOUT_S):
        projects: dict[str, dict[str, str]] = {
            path: {"sha256": digest} for path, digest in _read_record(home).items()
        }
        projects.pop(root, None)
        if sha256 is not None:
            projects[root] = {"sha256": sha256}
        text = json.dumps({"schema": 1, "projects": dict(sorted(projects.items()))}, indent=1)
        remove_leftovers(home.state)
        write_atomic(os.path.join(home.state, _RECORD), text.encode() + b"\n")


def _read_record(home: Home) -> dict[str, str]:
    """The trusted SHA-256 of each root."""
    path = os.path.join(home.state, _RECORD)
    if not os.path.lexists(path):
        return {}
    import json

    try:
        projects = json.loads(read_bounded(path, MAX_RECORD_BYTES))["projects"]
        return {root: str(entry["sha256"]) for root, entry in projects.items()}
    except FileUnreadable as err:
        raise ConfigError(err.message, hint=f"mend or remove {path}") from err
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as err:
        raise ConfigError(
            f"{path} is damaged", hint=f"remove {path} and trust your projects again"
        ) from err
