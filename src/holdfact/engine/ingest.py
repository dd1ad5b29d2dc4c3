"""Bringing a store up to date with the disk."""

from __future__ import annotations

from holdfact.core.errors import FileError
from holdfact.core.limits import BULK_DOCUMENTS
from holdfact.engine.plan import FactSource, Look, Plan, Seen, compare
from holdfact.engine.reading import digest_of, read_document, reason_of, stamp_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfact.core.types import Document
    from holdfact.engine.analysis import Analysis
    from holdfact.engine.identity import Parameters
    from holdfact.engine.plan import Progress
    from holdfact.engine.storage.base import Record, Stamp
    from holdfact.engine.storage.sqlite import SqliteStorage

    Put = tuple[Record, list[dict[str, int]], Stamp]

__all__ = ["settled", "sync"]


class _Sync:
    def __init__(
        self, storage: SqliteStorage, parameters: Parameters, now: Look,
        analysis: Analysis, progress: Progress | None,
    ) -> None:  # fmt: skip
        self.storage = storage
        self.parameters = parameters
        self.now = now
        self.analysis = analysis
        self.progress = progress
        self.done = 0
        self.total = 0
        self.rewritten = 0
        self.puts: list[Put] = []
        self.notes: list[Stamp] = []
        self.removes: list[tuple[str, str]] = []

    def told(self, count: int) -> None:
        """Say how far it is."""
        self.done += count
        if self.progress:
            self.progress(self.done, self.total, "documents")

    def take(self, kind: str, seen: Seen, document: Document | None, reason: str) -> None:
        """Put a document, unless its content is what is indexed already."""
        stamp = stamp_of(kind, seen, self.now.at_ns, reason=reason)
        known = self.storage.document(kind, seen.key)
        if document is not None:
            digest = digest_of(document)
            if known is not None and self.storage.digest(known) == digest:
                self.notes.append(stamp._replace(document=known))
                return
            try:
                record, chunks = self.analysis.prepare(document, digest)
            except FileError as err:
                stamp = stamp._replace(reason=reason_of(seen.path, err))
            else:
                self.puts.append((record, chunks, stamp))
                self.rewritten += known is not None
                return
        if known is not None:
            self.rewritten += 1
            self.removes.append((kind, seen.key))
        self.notes.append(stamp)

    def take_source(self, seen: Seen) -> None:
        """Read a project file."""
        try:
            document = read_document(self.parameters.root, seen, self.parameters.max_file_bytes)
        except FileError as err:
            self.take("document", seen, None, reason_of(seen.path, err))
        else:
            self.take("document", seen, document, "")

    def take_facts(self, wanted: list[Seen], source: FactSource) -> None:
        """Take the facts that changed; one that can't be read is noted."""
        facts = {document.id: document for document in source.load()}
        is_whole = all(seen.key in facts for seen in wanted)
        reasons: Mapping[str, str] = {} if is_whole else source.reasons()
        for seen in wanted:
            document = facts.get(seen.key)
            reason = reasons.get(seen.path, "can't be read as a fact")
            self.take("fact", seen, document, "" if document else reason)


def sync(  # noqa: PLR0913, PLR0917 - the parts of a sync
    storage: SqliteStorage,
    parameters: Parameters,
    now: Look,
    facts: FactSource | None,
    analysis: Analysis,
    progress: Progress | None = None,
) -> tuple[Plan, int]:
    """Make the store hold what the disk holds; the caller has the lease.

    Returns:
        The plan that was carried out, and how many of its changed sources had other content.
    """
    is_building = not storage.is_complete()
    if storage.has_held():  # an interrupted bulk write goes on where it stopped
        storage.merge()
    plan = compare(now, storage.stamps(), parameters.root)
    run = _Sync(storage, parameters, now, analysis, progress)
    sources = [seen for kind, seen in plan.added + plan.changed if kind == "document"]
    run.total = len(plan.added) + len(plan.changed)
    wanted = [seen for kind, seen in plan.added + plan.changed if kind == "fact"]
    if wanted and facts is not None:
        run.take_facts(wanted, facts)
        run.told(len(wanted))
    suspects = {seen.key for kind, seen in plan.changed if kind == "document"}
    if len(sources) > BULK_DOCUMENTS:
        # After a checkout many sources look different and few are: those don't pay a bulk write.
        sources = [s for s in sources if s.key not in suspects or _is_rewritten(run, s)]
    if len(sources) > BULK_DOCUMENTS:
        _bulk(run, sources, suspects)
    else:
        for seen in sources:
            run.take_source(seen)
            run.told(1)
    removes = plan.gone + run.removes
    if run.puts or removes or run.notes:
        storage.write(run.puts, removes=removes, stamps=run.notes)
    if is_building or storage.has_held():
        storage.merge(complete=True)
    return plan, run.rewritten


def settled(
    storage: SqliteStorage, parameters: Parameters, plan: Plan, facts: FactSource | None
) -> Plan:
    """The plan without the sources that look different, or fresh, and have the same content."""
    loaded: dict[str, Document] = {}
    if facts is not None and any(kind == "fact" for kind, _ in plan.changed):
        loaded = {document.id: document for document in facts.load()}

    def is_changed(kind: str, seen: Seen) -> bool:
        document = loaded.get(seen.key) if kind == "fact" else _read(parameters, seen)
        known = storage.document(kind, seen.key)
        if document is None or known is None:
            return document is not None or known is not None
        return storage.digest(known) != digest_of(document)

    return plan._replace(changed=[one for one in plan.changed if is_changed(*one)])


def _read(parameters: Parameters, seen: Seen) -> Document | None:
    try:
        return read_document(parameters.root, seen, parameters.max_file_bytes)
    except FileError:
        return None


def _bulk(run: _Sync, sources: list[Seen], changed: set[str]) -> None:
    from holdfact.engine.bulk import bulk

    for seen in sources:
        if seen.key in changed:
            run.rewritten += run.storage.document("document", seen.key) is not None
    bulk(run.storage, sources, run.parameters, run.now.at_ns, run.analysis, run.told)


def _is_rewritten(run: _Sync, seen: Seen) -> bool:
    """Whether a source that looks different has other content; if not, only its stamp is noted."""
    known = run.storage.document("document", seen.key)
    document = _read(run.parameters, seen)
    if known is None or document is None:
        return True
    if run.storage.digest(known) != digest_of(document):
        return True
    run.notes.append(stamp_of("document", seen, run.now.at_ns)._replace(document=known))
    run.told(1)
    return False
