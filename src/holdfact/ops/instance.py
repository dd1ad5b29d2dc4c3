"""The search engine of one project, opened with its settings and fed with its facts."""

from __future__ import annotations

import os

from holdfact.core import places
from holdfact.core.errors import EngineUnavailable, FileError
from holdfact.core.globs import literal
from holdfact.engine.engine import Engine
from holdfact.engine.plan import FactSource, Seen
from holdfact.facts.printable import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.core.config import Config
    from holdfact.core.types import Document
    from holdfact.engine.plan import Progress, SyncReport
    from holdfact.facts.store import Store

__all__ = ["fact_source", "file_errors_are_the_engines", "open_engine", "sync", "sync_all"]


def open_engine(config: Config, state: str | None = None, *, creates: bool = True) -> Engine:
    """The engine of the project that the settings are for.

    Args:
        config: the settings; they must have a root.
        state: the state folder, when it is not the usual one.
        creates: make the state folder and name it after its project; else nothing is written.

    Raises:
        EngineUnavailable: the state folder can't be made.
        ConfigError: the state folder is another project's.
    """
    root = config.root or ""
    if state is None:
        state = places.state_path(root, config.home)
    if creates:
        with file_errors_are_the_engines():
            places.claim_state(state, root)
    return Engine.open(
        state,
        root,
        sources=config.globs("engine.sources"),
        exclude=(*config.globs("engine.exclude"), *own_folders(config)),
        chunk_tokens=config.integer("engine.chunk_tokens"),
        chunk_overlap=config.integer("engine.chunk_overlap"),
        max_file_bytes=config.integer("engine.max_file_bytes"),
    )


def own_folders(config: Config) -> list[str]:
    """Globs of the folders of facts, and of our own, that lie inside the project.

    What is in them is a fact already, or none: as a document it would be found twice.
    """
    root = os.path.realpath(config.root or "")
    folders = (config.path("facts.project_dir"), config.path("facts.root"), *config.home)
    inside = [os.path.relpath(os.path.realpath(folder), root) for folder in folders if folder]
    outside = (os.curdir, os.pardir)
    return [literal(path) for path in inside if path.split(os.sep)[0] not in outside]


def fact_source(store: Store) -> FactSource:
    """The facts as the engine takes them: seen cheaply, read only when one changed.

    Names and paths that are not UTF-8 are shown with U+FFFD: the index holds text.
    """

    def load() -> list[Document]:
        return [document._replace(path=clean(document.path)) for document in store.documents()]

    seen = [
        Seen(clean(one.id), clean(one.path), one.size, one.mtime_ns, one.ctime_ns, one.inode)
        for one in store.stamps()
    ]

    def reasons() -> dict[str, str]:
        return {clean(path): clean(reason) for path, reason in store.problems()}

    return FactSource(seen, load, reasons)


def sync(engine: Engine, store: Store, progress: Progress | None = None) -> SyncReport:
    """Bring the engine up to date with the disk, or say in the report why that was not possible.

    Raises:
        EngineError: it can't be, and there is nothing older to answer from.
    """
    with file_errors_are_the_engines():
        return engine.sync(fact_source(store), progress)


def sync_all(engine: Engine, store: Store, progress: Progress | None = None) -> SyncReport:
    """Bring the engine up to date with the disk.

    Raises:
        EngineError: it is not up to date afterwards.
    """
    report = sync(engine, store, progress)
    with file_errors_are_the_engines():
        if report.error is not None:
            raise report.error
    return report


class file_errors_are_the_engines:  # noqa: N801 - used as a `with` statement's verb
    """A full disk or a read-only folder means here that searching is not possible."""

    __slots__ = ()

    def __enter__(self) -> None:
        """Nothing to begin."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Raise the engine's error instead of the file's."""
        if isinstance(error, FileError):
            raise EngineUnavailable(
                f"the search index can't be brought up to date: {error.message}", hint=error.hint
            ) from error
