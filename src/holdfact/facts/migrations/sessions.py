"""Which directories old stores were made for, as recorded in the headers of sessions.

A store's name is a hash and can't be turned back into a path, but each session wrote down the
directory it ran in. Only the beginning of a session file is read: its header stands before the
conversation. A broken session never stops a migration; it is counted, because the evidence it
held may be readable next time.
"""

from __future__ import annotations

import os

from holdfact.core.errors import FileError
from holdfact.core.files import read_prefix
from holdfact.core.limits import MAX_SESSION_FILES, MAX_SESSION_HEADER_BYTES
from holdfact.core.record import NamedTuple
from holdfact.facts.migrations.places import own_hashes

__all__ = ["Broken", "Evidence", "is_still_broken", "read_header", "read_sessions"]

_FIRST_READ_BYTES = 16_384
_JSON_SPACES = {" ", "\t", "\n", "\r"}


class Broken(NamedTuple):
    """A session file that is no session, and what tells whether it changed since."""

    path: str
    size: int
    mtime_ns: int


class Evidence(NamedTuple):
    """What the sessions say.

    Attributes:
        directories: store name → directory, the newest session's where several name one store.
        broken: the files that could be read and not understood; only a change can mend them.
        unreadable: how many files and folders could not be read, or not all.
    """

    directories: dict[str, str]
    broken: tuple[Broken, ...]
    unreadable: int


class HeaderBroken(Exception):
    """The file's beginning is not a session header."""


def read_sessions(folder: str) -> Evidence:
    """The evidence of every `<folder>/*/*.json`; a missing folder has none."""
    paths, unreadable = _session_files(folder)
    directories: dict[str, str] = {}
    broken: list[Broken] = []
    for path in paths:
        try:
            status = os.stat(path)
            directory = read_header(path)
        except HeaderBroken:
            broken.append(Broken(path, status.st_size, status.st_mtime_ns))
            continue
        except (FileError, OSError):
            unreadable += 1
            continue
        if directory:
            for name in own_hashes(directory):
                directories.setdefault(name, directory)
    return Evidence(directories, tuple(sorted(broken)), unreadable)


def is_still_broken(session: Broken) -> bool:
    """Whether a broken session is there as it was, so that reading it again would tell nothing."""
    try:
        status = os.stat(session.path)
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (session.size, session.mtime_ns)


def _session_files(folder: str) -> tuple[list[str], int]:
    found: list[tuple[int, str]] = []
    unreadable = 0
    try:
        with os.scandir(folder) as entries:
            folders = sorted(entry.path for entry in entries if entry.is_dir())
    except FileNotFoundError:
        return [], 0
    except OSError:
        return [], 1
    for inner in folders:
        try:
            with os.scandir(inner) as entries:
                found.extend(
                    (-entry.stat().st_mtime_ns, entry.path)
                    for entry in entries
                    if entry.name.endswith(".json") and entry.is_file()
                )
        except OSError:
            unreadable += 1
    found.sort()
    passed_over = max(0, len(found) - MAX_SESSION_FILES)
    return [path for _, path in found[:MAX_SESSION_FILES]], unreadable + passed_over


def read_header(path: str) -> str:
    """The directory that a session ran in; empty when its header names none.

    Raises:
        HeaderBroken: the file does not begin with a session header.
        FileError: the file can't be read.
    """
    data = read_prefix(path, _FIRST_READ_BYTES)
    if len(data) == _FIRST_READ_BYTES:
        try:
            return _directory(data)
        except HeaderBroken:  # perhaps only cut
            data = read_prefix(path, MAX_SESSION_HEADER_BYTES)
    return _directory(data, is_cut=len(data) == MAX_SESSION_HEADER_BYTES)


def _directory(data: bytes, *, is_cut: bool = False) -> str:
    """Walk the object's members in order until both `id` and `metadata` are known.

    Where a session has an id and so much more that the limit cut it before any metadata, it is a
    conversation whose header named no directory.
    """
    session_id: object = None
    metadata: object = None
    try:
        for key, value in _members(data.decode("utf-8", "replace")):
            if key == "id":
                session_id = value
            elif key == "metadata":
                metadata = value
            if session_id is not None and metadata is not None:
                break
    except HeaderBroken:
        if not (is_cut and session_id):
            raise
    if not isinstance(session_id, str) or not session_id:
        raise HeaderBroken("no id")
    directory = metadata.get("cwd") if isinstance(metadata, dict) else None
    return directory if isinstance(directory, str) and _is_path(directory) else ""


def _is_path(text: str) -> bool:
    if "\0" in text or not os.path.isabs(text):
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a character pair: no file system has it
        return False
    return True


def _members(text: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - pairs of (str, object)
    from json import JSONDecoder

    decoder = JSONDecoder()

    def skip(at: int) -> int:
        while text[at : at + 1] in _JSON_SPACES:
            at += 1
        return at

    def expect(at: int, wanted: str) -> str:
        if text[at : at + 1] not in wanted or at >= len(text):
            raise HeaderBroken(f"no {wanted!r} at {at}")
        return text[at]

    at = skip(0)
    expect(at, "{")
    at = skip(at + 1)
    if text[at : at + 1] == "}":
        return
    while True:
        try:
            expect(at, '"')
            key, at = decoder.raw_decode(text, at)
            at = skip(at)
            expect(at, ":")
            value, at = decoder.raw_decode(text, skip(at + 1))
        except (ValueError, RecursionError) as err:
            raise HeaderBroken(str(err)) from err
        yield key, value
        at = skip(at)
        if expect(at, ",}") == "}":
            return
        at = skip(at + 1)
