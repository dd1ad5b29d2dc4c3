"""The folder that `facts.root` names: used, made by the first write, or refused.

Whoever names a folder means that one. A mistake in its name must not look like a memory without
facts, so what can't hold facts is refused, and a folder that is not there yet is told.
"""

from __future__ import annotations

import os
import stat

from holdfact.core.config import FLAG
from holdfact.core.errors import ConfigValueInvalid
from holdfact.core.files import reason_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.core.config import Config

__all__ = ["root_notice"]

_KEY = "facts.root"
_OPTION = "--moa-home"
_ENVIRONMENT = "environment "
_MISSING = "there is no such folder"


def root_notice(config: Config) -> str:
    """What the user should hear of the folder of facts: usually nothing.

    Raises:
        ConfigValueInvalid: it is no folder, or the folder that it would be made in is none.
    """
    path = config.path(_KEY)
    why = _why_no_folder(path) if path else ""
    if not path or not why:
        return ""
    parent = os.path.dirname(path)
    if why_no_parent := _why_no_folder(parent):
        raise _refused(config, path, f"{parent}: {why_no_parent}")
    if why != _MISSING or os.path.lexists(path):
        raise _refused(config, path, f"{path}: {why}")
    return f"{_where(config)}: {_KEY} is {path!r}: {_MISSING} yet; the first fact makes it"


def _why_no_folder(path: str) -> str:
    try:
        return "" if stat.S_ISDIR(os.stat(path).st_mode) else "it is not a folder"
    except FileNotFoundError:
        return _MISSING
    except (OSError, ValueError) as err:
        return reason_of(err)


def _refused(config: Config, path: str, why: str) -> ConfigValueInvalid:
    return ConfigValueInvalid(
        f"{_where(config)}: {_KEY} is {path!r}, but facts can't be kept there: {why}",
        hint=_mend(config),
    )


def _where(config: Config) -> str:
    origin = config.origin(_KEY)
    return _OPTION if origin == FLAG else origin


def _mend(config: Config) -> str:
    origin = config.origin(_KEY)
    if origin == FLAG:
        return f"give {_OPTION} a folder, or a new one in a folder that exists"
    if origin.startswith(_ENVIRONMENT):
        return f"set {origin.removeprefix(_ENVIRONMENT)} to a folder, or unset it"
    option = " --project" if origin == config.project_file else ""
    return f"holdfact config set{option} {_KEY} DIR, or holdfact config unset{option} {_KEY}"
