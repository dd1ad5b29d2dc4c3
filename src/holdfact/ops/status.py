"""Status: what is stored, indexed and stale. It writes, creates and migrates nothing."""

from __future__ import annotations

import os

from holdfact.core import places
from holdfact.core.errors import EngineError
from holdfact.core.record import NamedTuple
from holdfact.engine.engine import ENGINE_FOLDER
from holdfact.ops.instance import fact_source, file_errors_are_the_engines, open_engine
from holdfact.ops.recall import NO_IDENTITY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.core.config import Config
    from holdfact.engine.engine import Status as EngineStatus
    from holdfact.facts.store import Problem, Store
    from holdfact.ops.recall import Identity

__all__ = ["Place", "Places", "Status", "engine_status", "status"]


class Place(NamedTuple):
    """A folder, absolute, and the bytes of the files in it; it need not exist."""

    path: str
    bytes: int


class Places(NamedTuple):
    """Where things lie: the facts of both scopes, the state folder, and the index inside it."""

    project_facts: Place
    global_facts: Place
    state: Place
    search_index: Place


class Status(NamedTuple):
    """What is stored, indexed and stale.

    Attributes:
        root: the project's root, absolute.
        facts: how many there are in both scopes.
        problems: files that can't be read as facts.
        engine: the state of the search index; where it can't be read it holds nothing and every
            source is stale.
        engine_error: why the search index can't be read, and what mends it; None when it can.
        identity: of the vectors.
        provider: the embedding provider; None while there is none.
        places: where things lie, and their sizes.
    """

    root: str
    facts: int
    problems: list[Problem]
    engine: EngineStatus
    engine_error: EngineError | None
    identity: Identity
    provider: str | None
    places: Places


def status(config: Config, store: Store, *, state: str | None = None) -> Status:
    """The status of a project. A search index that can't be read is a part of it, not a failure.

    Raises:
        EngineError: the project can't be listed.
    """
    survey = store.survey()
    engine, error = _engine(config, store, state)
    root = config.root or ""
    where = _places(root, config, store, state)
    return Status(
        root, len(survey.memories), survey.problems, engine, error, NO_IDENTITY, None, where
    )


def _engine(
    config: Config, store: Store, state: str | None
) -> tuple[EngineStatus, EngineError | None]:
    with file_errors_are_the_engines(), open_engine(config, state, creates=False) as engine:
        facts = fact_source(store)
        try:
            return engine.status(facts), None
        except EngineError as err:
            return engine.status_without_index(facts), err


def engine_status(config: Config, store: Store, *, state: str | None = None) -> EngineStatus:
    """The state of the search index beside the disk.

    Raises:
        EngineError: the search index can't be read.
    """
    with file_errors_are_the_engines(), open_engine(config, state, creates=False) as engine:
        return engine.status(fact_source(store))


def _places(root: str, config: Config, store: Store, state: str | None) -> Places:
    folder = places.state_path(root, config.home) if state is None else state
    found = (store.project_dir, store.global_dir, folder, os.path.join(folder, ENGINE_FOLDER))
    return Places(*(Place(path, _bytes_below(path)) for path in found))


def _bytes_below(folder: str) -> int:
    """The bytes of every file below a folder; what can't be looked at counts nothing."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except OSError:  # deleted meanwhile
                continue
    return total
