"""A new generation, built beside the one that is published. Nobody reads it before it is complete.

The caller holds the lease and publishes. A build that was interrupted is continued.
"""

from __future__ import annotations

import os

from holdfact.core.errors import EngineError, StoreCorrupt
from holdfact.core.files import make_folder
from holdfact.core.sqlite import translated
from holdfact.engine.identity import lexical_identity
from holdfact.engine.ingest import sync
from holdfact.engine.storage.sqlite import SqliteStorage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.engine.analysis import Analysis
    from holdfact.engine.generations import Generations
    from holdfact.engine.identity import Parameters
    from holdfact.engine.plan import Job, Plan

__all__ = ["build"]


def build(
    generations: Generations, parameters: Parameters, analysis: Analysis, job: Job
) -> tuple[int, Plan, int]:
    """Index every source into a generation that is not published, and sync its file.

    Returns:
        The generation's number, what was planned, and how many sources were rewritten.

    Raises:
        StoreCorrupt: the rest of an interrupted build was damaged; it is deleted.
        FileUnwritable: the file system refused; a later build goes on here.
    """
    make_folder(generations.folder)
    number = _number(generations, parameters, analysis)
    try:
        plan, rewritten = _fill(generations.path(number), parameters, analysis, job)
    except StoreCorrupt:
        generations.discard(number)
        raise
    return number, plan, rewritten


def _number(generations: Generations, parameters: Parameters, analysis: Analysis) -> int:
    """The generation to build: an interrupted one of the same identity, or a new number."""
    number = generations.unpublished()
    if number is not None:
        if _is_ours(generations.path(number), parameters, analysis):
            return number
        generations.discard(number)
    return max([*generations.numbers(), number or 0]) + 1


def _is_ours(path: str, parameters: Parameters, analysis: Analysis) -> bool:
    if not os.path.isfile(path):
        return False
    try:
        storage = _open(path, analysis)
        try:
            with translated(path):
                return storage.identity() == lexical_identity(parameters)
        finally:
            storage.close()
    except EngineError:  # damaged or foreign: it is derived, and was never published
        return False


def _fill(path: str, parameters: Parameters, analysis: Analysis, job: Job) -> tuple[Plan, int]:
    import gc

    storage = _open(path, analysis)
    was_enabled = gc.isenabled()
    gc.disable()  # a build makes millions of objects and no cycles
    try:
        with translated(path):
            storage.set_identity(lexical_identity(parameters))
            done = sync(storage, parameters, job.now, job.facts, analysis, job.progress)
            storage.checkpoint()
            return done
    finally:
        if was_enabled:
            gc.enable()
        storage.close()


def _open(path: str, analysis: Analysis) -> SqliteStorage:
    return SqliteStorage(path, analysis.recount, durable=False)
