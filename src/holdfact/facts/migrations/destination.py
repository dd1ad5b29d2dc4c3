"""The facts that a codebase already has."""

from __future__ import annotations

import os

from holdfact.core.errors import FileUnreadable
from holdfact.core.files import read_bounded
from holdfact.core.limits import MAX_FACT_READ_BYTES
from holdfact.facts.names import is_fact_file_name

__all__ = ["read_facts"]

_SUFFIX_CHARS = len(".md")


def read_facts(folder: str) -> dict[str, bytes]:
    """Name → bytes of each fact file in `folder`; a missing folder has none.

    Anything else of that name (a link, a folder) holds it with no bytes: it is neither read nor
    overwritten.

    Raises:
        FileUnreadable: one of them can't be read, so a merge could not tell what is there.
    """
    try:
        with os.scandir(folder) as entries:
            found = sorted((entry.name, entry.is_file(follow_symlinks=False)) for entry in entries)
    except FileNotFoundError:
        return {}
    except OSError as err:
        raise FileUnreadable(f"can't list {folder}: {err.strerror}") from err
    return {
        name[:-_SUFFIX_CHARS]: _read(os.path.join(folder, name), is_file=is_file)
        for name, is_file in found
        if is_fact_file_name(name)
    }


def _read(path: str, *, is_file: bool) -> bytes:
    return read_bounded(path, MAX_FACT_READ_BYTES, follow=False) if is_file else b""
