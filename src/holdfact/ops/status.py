"""Status: what is stored, indexed and stale. It writes, creates and migrates nothing."""

from __future__ import annotations

from holdfact.core.record import NamedTuple
from holdfact.ops.instance import fact_source, file_errors_are_the_engines, open_engine
from holdfact.ops.recall import NO_IDENTITY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.core.config import Config
    from holdfact.engine.engine import Status as EngineStatus
    from holdfact.facts.store import Problem, Store
    from holdfact.ops.recall import Identity

__all__ = ["Status", "engine_status", "status"]


class Status(NamedTuple):
    """What is stored, indexed and stale.

    Attributes:
        root: the project's root, absolute.
        facts: how many there are in both scopes.
        problems: files that can't be read as facts.
        engine: the state of the search index.
        identity: of the vectors.
        provider: the embedding provider; None while there is none.
    """

    root: str
    facts: int
    problems: list[Problem]
    engine: EngineStatus
    identity: Identity
    provider: str | None


def status(config: Config, store: Store, *, state: str | None = None) -> Status:
    """The status of a project.

    Raises:
        EngineError: the search index can't be read.
    """
    survey = store.survey()
    engine = engine_status(config, store, state=state)
    root = config.root or ""
    return Status(root, len(survey.memories), survey.problems, engine, NO_IDENTITY, None)


def engine_status(config: Config, store: Store, *, state: str | None = None) -> EngineStatus:
    """The state of the search index beside the disk.

    Raises:
        EngineError: the search index can't be read.
    """
    with file_errors_are_the_engines(), open_engine(config, state, creates=False) as engine:
        return engine.status(fact_source(store))
