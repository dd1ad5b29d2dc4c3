"""The engine of one instance: opened on its state folder, brought up to date, asked.

Readers answer from the published generation whatever writers do. `search` looks at `CURRENT` each
time, so a long-lived process never answers from an old generation.
"""

from __future__ import annotations

import os

from holdfact.core import clock
from holdfact.core.errors import (
    EngineUnavailable,
    FileUnwritable,
    StoreBusy,
    StoreCorrupt,
    UsageError,
)
from holdfact.core.limits import MAX_QUERY_CHARS, MAX_RECALL_K, STORE_LOCK_TIMEOUT_S
from holdfact.core.record import NamedTuple
from holdfact.core.sqlite import translated
from holdfact.engine.fresh import checked
from holdfact.engine.generations import Generations
from holdfact.engine.identity import Parameters
from holdfact.engine.plan import (
    FactSource,
    Job,
    Plan,
    SyncReport,
    compare,
    hidden_folders,
    look,
    skips_of,
)
from holdfact.engine.retrieve import Filter, Retrieved, retrieve
from holdfact.engine.storage.sqlite import SqliteStorage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from holdfact.core.errors import HoldfactError
    from holdfact.core.types import Skip
    from holdfact.engine.analysis import Analysis
    from holdfact.engine.plan import Progress
    from holdfact.engine.storage.base import Record
    from holdfact.text.tokenizer import Analyzer

__all__ = ["ENGINE_FOLDER", "Engine", "Status"]

ENGINE_FOLDER = "engine"
_NOTHING = Plan([], [], [], [])


class Status(NamedTuple):
    """The state of the index.

    Attributes:
        generation: number of the published generation; None before the first build.
        revision: of it.
        documents, facts, chunks: that are indexed; facts are documents too.
        bytes: on disk.
        stale: paths of sources that the index does not show as they are now.
        skipped: sources that were passed over.
        is_identity_current: whether it was built as this program and its settings would.
    """

    generation: int | None
    revision: int
    documents: int
    facts: int
    chunks: int
    bytes: int
    stale: list[str]
    skipped: list[Skip]
    is_identity_current: bool


class Engine:
    """Full text over the documents of a project and the facts. Close it, or use `with`.

    Args:
        state_folder: the instance's state; the engine keeps its files in `engine/` below.
        parameters: where the documents are, and how they are cut.
    """

    def __init__(self, state_folder: str, parameters: Parameters) -> None:
        self.parameters = parameters
        self._generations = Generations(os.path.join(state_folder, ENGINE_FOLDER))
        self._storage: SqliteStorage | None = None
        self._number: int | None = None
        # Why the storage was opened for reading only; a write would not tell the cause.
        self._refusal: FileUnwritable | None = None
        self._analyzer: Analyzer | None = None
        self._analysis: Analysis | None = None
        self._stale: frozenset[tuple[str, str]] = frozenset()
        self._gone: frozenset[tuple[str, str]] = frozenset()
        self._stale_paths: list[str] = []

    @classmethod
    def open(  # noqa: PLR0913 - the settings, by name
        cls, state_folder: str, root: str, *, sources: Sequence[str], exclude: Sequence[str] = (),
        chunk_tokens: int, chunk_overlap: int, max_file_bytes: int,
    ) -> Engine:  # fmt: skip
        """An engine with these settings; nothing is read or written yet."""
        return cls(
            state_folder,
            Parameters(
                os.path.realpath(root), tuple(sources), tuple(exclude),
                chunk_tokens, chunk_overlap, max_file_bytes,
            ),
        )  # fmt: skip

    def close(self) -> None:
        """Give the files back."""
        if self._storage is not None:
            self._storage.close()
            self._storage = None
            self._number = None
            self._refusal = None

    def __enter__(self) -> Self:
        """The engine itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close it."""
        self.close()

    @property
    def is_built(self) -> bool:
        """Whether there is a published generation."""
        return self._generations.current() is not None

    # Asking.

    def search(self, query: str, k: int, narrow: Filter | None = None) -> Retrieved:
        """The best k documents and facts.

        Raises:
            UsageError: the query is blank, too long or not Unicode, or k is out of range.
            EngineUnavailable: nothing was built yet.
            StoreCorrupt: the index is damaged; `rebuild` mends it.
        """
        if not query.strip():
            raise UsageError("the query is empty")
        if len(query) > MAX_QUERY_CHARS:
            raise UsageError(
                f"the query has {len(query)} characters; {MAX_QUERY_CHARS} is the limit"
            )
        try:
            query.encode()
        except UnicodeEncodeError as err:
            raise UsageError("the query is not valid UTF-8") from err
        if not 1 <= k <= MAX_RECALL_K:
            raise UsageError(f"k is {k}; it must be from 1 to {MAX_RECALL_K}")
        storage, number = self._published()
        narrow = narrow or Filter()
        narrow = narrow._replace(hidden=narrow.hidden | self._gone)
        hits, total, revision = retrieve(storage, self._analyse(), query, k, narrow, self._stale)
        with translated(storage.path):
            hits = checked(storage, self.parameters, hits)
        stale = {*self._stale_paths, *[hit.path for hit in hits if hit.changed_since_indexed]}
        return Retrieved(hits, total, number, revision, sorted(stale))

    def status(self, facts: FactSource | None = None) -> Status:
        """The state of the index beside the disk; nothing is written.

        Raises:
            FileUnreadable: the root can't be listed.
            StoreCorrupt, StoreNewer, EngineUnavailable: the index can't be read.
        """
        from holdfact.engine.ingest import settled

        if not self.is_built:
            return self.status_without_index(facts)
        now = look(self.parameters, facts.seen if facts else ())
        storage, number = self._published()
        with storage.snapshot():
            stamps = storage.stamps()
            plan = compare(now, stamps, self.parameters.root)
            plan = settled(storage, self.parameters, plan, facts)
            counts = storage.statistics()
            return Status(
                number, storage.revision(), counts.documents, counts.facts, counts.chunks,
                counts.bytes, _paths(plan, _by_key(stamps)), skips_of(now, stamps),
                storage.identity() == self._identity(),
            )  # fmt: skip

    def status_without_index(self, facts: FactSource | None = None) -> Status:
        """The state where no index is, or none that can be read: every source is stale.

        Raises:
            FileUnreadable: the root can't be listed.
        """
        now = look(self.parameters, facts.seen if facts else ())
        waiting = [seen.path for seen in (*now.documents, *now.facts)]
        return Status(None, 0, 0, 0, 0, 0, waiting, now.skipped, is_identity_current=True)

    def _published(self) -> tuple[SqliteStorage, int]:
        """The store of the published generation, open."""
        number = self._generations.current()
        if number is None:
            raise EngineUnavailable(
                "the search index was not built yet", hint="holdfact engine sync"
            )
        if self._storage is None or self._number != number:
            self.close()
            self._number = number
            try:
                self._storage = self._open(number)
            except FileUnwritable as err:  # a full disk: it can still be read
                self._refusal = err
                self._storage = self._open(number, is_read_only=True)
            except EngineUnavailable:
                if self._generations.current() == number:
                    raise
                return self._published()  # replaced between the two looks
        return self._storage, number

    def _open(self, number: int, *, is_read_only: bool = False) -> SqliteStorage:
        """The store of a generation that is published; it is never created here."""
        path = self._generations.path(number)
        is_writable = os.access(path, os.W_OK) and os.access(os.path.dirname(path), os.W_OK)
        read_only = is_read_only or not is_writable
        return SqliteStorage(path, self._recount, creates=False, read_only=read_only)

    def _analyse(self) -> Analyzer:
        if self._analyzer is None:
            from holdfact.text.tokenizer import Analyzer

            self._analyzer = Analyzer()
        return self._analyzer

    def _prepared(self) -> Analysis:
        if self._analysis is None:
            from holdfact.engine.analysis import Analysis

            self._analysis = Analysis(
                self._analyse(), self.parameters.chunk_tokens, self.parameters.chunk_overlap
            )
        return self._analysis

    def _recount(self, record: Record, text: str) -> Sequence[Mapping[str, int]]:
        return self._prepared().recount(record, text)

    def _identity(self) -> str:
        from holdfact.engine.identity import lexical_identity

        return lexical_identity(self.parameters)

    # Bringing up to date.

    def sync(
        self, facts: FactSource | None = None, progress: Progress | None = None,
        *, wait_s: float = STORE_LOCK_TIMEOUT_S,
    ) -> SyncReport:  # fmt: skip
        """Make the index hold what the disk holds.

        While another process writes, this waits `wait_s`; then, and where the index can't be
        written, the report has the `error` and names what is stale: searches answer from the
        published generation. An interrupted build goes on here, and a damaged index is built anew.

        Raises:
            FileUnreadable: the root can't be listed; the index is as it was.
            EngineUnavailable: the root is empty where documents were; the index is as it was.
            StoreBusy: nothing that can be read is published yet and another process is building.
            StoreCorrupt: the index is damaged, and can't be built anew.
            StoreNewer: a newer program wrote the index; it is left alone.
        """
        job = self._job(facts, progress)
        if self._storage is not None and self._storage.is_read_only:
            self.close()  # perhaps it can be written by now
        try:
            return self._synced(job, wait_s)
        except StoreCorrupt as err:
            return self._replaced(job, err, wait_s)

    def rebuild(
        self, damage: StoreCorrupt, facts: FactSource | None = None,
        progress: Progress | None = None, *, wait_s: float = STORE_LOCK_TIMEOUT_S,
    ) -> SyncReport:  # fmt: skip
        """Build the index anew because a search found damage that no sync had to read.

        Raises:
            FileUnreadable: the root can't be listed.
            StoreBusy: another process is writing.
            StoreCorrupt: it can't be built anew.
        """
        return self._replaced(self._job(facts, progress), damage, wait_s)

    def _job(self, facts: FactSource | None, progress: Progress | None) -> Job:
        started_s = clock.monotonic()
        self._set_stale(None, {})
        return Job(look(self.parameters, facts.seen if facts else ()), facts, progress, started_s)

    def _synced(self, job: Job, wait_s: float) -> SyncReport:
        if self.is_built and self._is_identity_current():
            report = self._unchanged(job)
            if report is not None:
                return report
        try:
            with self._generations.lease(wait_s):
                return self._write(job)
        except (StoreBusy, FileUnwritable) as err:
            if not self.is_built:
                raise
            return self._stay(job, self._refusal or err)

    def _is_identity_current(self) -> bool:
        storage, _ = self._published()
        with translated(storage.path):
            return storage.identity() == self._identity()

    def _unchanged(self, job: Job) -> SyncReport | None:
        """The report when there is nothing to do."""
        storage, _ = self._published()
        now = job.now
        with storage.snapshot():
            if storage.has_held():
                return None
            is_same = storage.looks("document") == now.files
            if is_same and storage.looks("fact") == now.facts:
                return self._report(_NOTHING, 0, job)
            if not hidden_folders(now):
                return None  # the writer compares one by one
            stamps = storage.stamps()
        plan = compare(now, stamps, self.parameters.root)
        if not plan.is_empty:
            return None
        self._set_stale(plan, _by_key(stamps))  # only what can't be listed
        return self._report(plan, 0, job)

    def _write(self, job: Job) -> SyncReport:
        from holdfact.engine.ingest import sync

        if not self.is_built or not self._is_identity_current():
            return self._build(job)
        storage, _ = self._published()
        prepared = self._prepared()
        with translated(storage.path):
            plan, rewritten = sync(
                storage, self.parameters, job.now, job.facts, prepared, job.progress
            )
            if plan.unsure:
                paths = _by_key(storage.stamps())
                self._set_stale(plan._replace(added=[], changed=[], gone=[]), paths)
        return self._report(plan, rewritten, job)

    def _build(self, job: Job) -> SyncReport:
        """Build a generation beside the published one, and publish it."""
        from holdfact.engine.build import build

        number, plan, rewritten = build(self._generations, self.parameters, self._prepared(), job)
        self.close()
        self._generations.publish(number)
        return self._report(plan, rewritten, job)._replace(is_built=True)

    def _replaced(self, job: Job, damage: StoreCorrupt, wait_s: float) -> SyncReport:
        """Build beside what is damaged, and publish that; what is damaged is deleted last."""
        damaged = self._number
        self.close()
        try:
            with self._generations.lease(wait_s):
                if self._generations.current() != damaged:  # another process was faster
                    return self._write(job)
                return self._build(job)._replace(damage=damage.message)
        except FileUnwritable as err:
            raise StoreCorrupt(
                f"{damage.message}; it can't be built anew: {err.message}",
                hint=f"{err.hint}; the damaged file is derived and may be deleted",
            ) from err

    def _stay(self, job: Job, error: HoldfactError) -> SyncReport:
        """The report when nothing could be written: what is stale is named, and why."""
        from holdfact.engine.ingest import settled

        storage, _ = self._published()
        with translated(storage.path):
            stamps = storage.stamps()
            plan = compare(job.now, stamps, self.parameters.root)
            plan = settled(storage, self.parameters, plan, job.facts)
        self._set_stale(plan, _by_key(stamps))
        report = self._report(Plan([], [], [], plan.unsure), 0, job)
        is_current = plan.is_empty and self._is_identity_current()
        return report if is_current else report._replace(error=error)

    def _set_stale(self, plan: Plan | None, paths: dict[tuple[str, str], str]) -> None:
        if plan is None:
            self._stale = self._gone = frozenset()
            self._stale_paths = []
            return
        unsure = set(plan.unsure)
        doubtful = {key for key, path in paths.items() if path in unsure}
        changed = {(kind, seen.key) for kind, seen in plan.changed}
        self._stale = frozenset(changed | doubtful)
        self._gone = frozenset(plan.gone)
        self._stale_paths = _paths(plan, paths)

    def _report(self, plan: Plan, rewritten: int, job: Job) -> SyncReport:
        storage, _ = self._published()
        with translated(storage.path):
            failures = storage.failures()
        failed = {(stamp.kind, stamp.key) for stamp in failures}
        added = sum([(kind, seen.key) not in failed for kind, seen in plan.added])
        skipped = skips_of(job.now, failures)
        return SyncReport(
            added, rewritten, len(plan.gone), skipped, list(self._stale_paths),
            clock.monotonic() - job.started_s, job.now.ignore_known,
        )  # fmt: skip


def _by_key(stamps: Sequence[tuple[object, ...]]) -> dict[tuple[str, str], str]:
    return {(str(stamp[0]), str(stamp[1])): str(stamp[2]) for stamp in stamps}


def _paths(plan: Plan, paths: dict[tuple[str, str], str]) -> list[str]:
    """What a plan says is stale."""
    seen = {source.path for _, source in plan.added + plan.changed}
    gone = {paths[key] for key in plan.gone if key in paths}
    return sorted({*seen, *gone, *plan.unsure})
