"""The library's face: one object that does everything that the command line does.

Each method converts nothing and prints nothing; what it calls is loaded when it is first used.
"""

from __future__ import annotations

import os

from holdfact.core import config as configuration
from holdfact.core import places
from holdfact.core.errors import NotAProject, UsageError
from holdfact.core.words import counted, not_text
from holdfact.facts.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfact.core.config import Config
    from holdfact.engine.engine import Status as EngineStatus
    from holdfact.engine.plan import Progress, SyncReport
    from holdfact.facts.fact import Memory as Fact
    from holdfact.facts.migrations.report import MigrationReport
    from holdfact.facts.search import SearchResult
    from holdfact.facts.store import Survey
    from holdfact.ops.context import Context
    from holdfact.ops.recall import Recalled
    from holdfact.ops.remember import ForgetPlan, Remembered
    from holdfact.ops.review import Deletion, Verdict
    from holdfact.ops.search import DocumentSearch
    from holdfact.ops.status import Status

__all__ = ["Memory"]

_PROJECTS_FOLDER = "projects"  # where older programs kept facts
_PATH_HINT = "name a folder"


class Memory:
    """The memory of one project: its facts, the global facts, and the project's documents.

    Make one with `Memory.open`. It holds no files open between calls.

    Args:
        config: the settings in force; its `root` is the project's, or None where is no project.
        state: the folder of the project's search index when it is not the usual one.
        environ: the environment.

    Attributes:
        config: the settings in force.
        store: the facts.
    """

    def __init__(self, config: Config, state: str | None, environ: Mapping[str, str]) -> None:
        self.config = config
        self.environ = environ
        self.store = _store(config)
        self._state = state
        self._refusal: NotAProject | None = None
        self._root_notice = _root_notice(config)

    @classmethod
    def open(
        cls,
        path: str = ".",
        *,
        moa_home: str | None = None,
        state: str | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> Memory:
        """Open the memory of the project that `path` belongs to. Creates and migrates nothing.

        `/` and the home folder are no projects. There the global facts can be used; what needs a
        project raises `NotAProject`.

        Args:
            path: a folder of the project.
            moa_home: keep facts in this folder instead of the configured one.
            state: keep this project's search index in this folder.
            environ: the environment; the process's own when left out.

        Raises:
            UsageError: there is no such folder, or an argument can be no path.
            ConfigError: a setting is wrong; among them `facts.root`, or `moa_home`, that names no
                folder and none that a write could make.
        """
        environ = os.environ if environ is None else environ
        root, refusal = _root(_as_path("the path", path), environ)
        flags = {} if moa_home is None else {"facts.root": _whole_path("moa_home", moa_home)}
        config = configuration.load(root, flags=flags, environ=environ)
        memory = cls(config, None if state is None else _whole_path("state", state), environ)
        memory._refusal = refusal
        return memory

    @property
    def root(self) -> str:
        """The project's root, absolute.

        Raises:
            NotAProject: there is none.
        """
        if self.config.root is None:
            raise self._refusal or NotAProject("this is no project")
        return self.config.root

    @property
    def has_project(self) -> bool:
        """Whether there is a project; without one there are global facts only."""
        return self.store.has_project

    def _require_project(self) -> None:
        _ = self.root

    @property
    def notices(self) -> Sequence[str]:
        """What the user should hear.

        That this is no project, which settings are ignored, that the named folder of facts is not
        there yet; and, once the project's facts were asked for, that git did not say which
        repository's they are.
        """
        notices = [
            f"{one.key} of the project's holdfact.toml is ignored: {one.reason} ({one.command})"
            for one in self.config.ignored
        ]
        if self._refusal is not None:
            notices.append(f"{self._refusal.message}: only global facts")
        if self._root_notice:
            notices.append(self._root_notice)
        if not self.store.is_certain:
            notices.append(
                f"git did not answer: project facts are those of this folder only ({self.root})"
            )
        return notices

    # Facts.

    def remember(self, fact: Fact, *, if_match: str | None = None) -> Remembered:
        """Write a fact, or replace it whole.

        Args:
            fact: its name and scope say where; exactly one lifecycle.
            if_match: the SHA-256 that the file must still have (64 hex digits, from `read`).

        Raises:
            FactError: a value is refused, the fact changed since it was read, or git does not say
                which repository a linked worktree belongs to.
            FileError: the file system refused; the fact is as before.
        """
        from holdfact.ops.remember import remember

        return remember(self.store, fact, if_match=if_match)

    def read(self, fact_id: str) -> tuple[Fact, str]:
        """One fact by `project/NAME`, `global/NAME` or a bare name, and its file's SHA-256.

        Raises:
            FactError: the id is none, means no fact or two, or the file is unreadable.
        """
        return self.store.read_with_digest(fact_id)

    def list(self) -> Survey:
        """Every fact, and every file that can't be read as one."""
        return self.store.survey()

    def forget_plan(self, fact_id: str) -> ForgetPlan:
        """What `forget` would delete.

        Raises:
            FactError: the id is none, or means no fact or two.
        """
        from holdfact.ops.remember import forget_plan

        return forget_plan(self.store, fact_id)

    def forget(self, fact_id: str, *, if_match: str | None = None) -> None:
        """Delete one fact's file.

        Args:
            fact_id: `project/NAME`, `global/NAME` or a bare name.
            if_match: the SHA-256 that the file must still have.

        Raises:
            FactError: the id is none, means no fact or two, or the fact changed since.
            FileError: the file system refused.
        """
        self.store.delete(fact_id, if_match=if_match)

    def search(
        self, query: str, *, regex: bool = False, limit: int = 0, offset: int = 0
    ) -> SearchResult:
        """Search the facts for a literal text or an RE2 pattern.

        Args:
            query: at most 4,096 characters.
            regex: whether it is a pattern.
            limit: hits a page, 0 for 10, at most 25.
            offset: hits to pass over.

        Raises:
            UsageError: the query is blank, or the pattern can't be compiled.
            ExtraMissing: patterns need the extra `regex`.
        """
        from holdfact.facts.search import SearchOptions

        return self.store.search(SearchOptions(query, regex, limit, offset))

    def search_documents(
        self, query: str, *, regex: bool = False, limit: int = 0, offset: int = 0
    ) -> DocumentSearch:
        """Search the facts, then the project's documents as they are on disk; each is read.

        The arguments are those of `search`.

        Raises:
            UsageError: as `search`, or this is no project.
            ExtraMissing: patterns need the extra `regex`.
            FileError: the project's folder can't be listed.
        """
        from holdfact.facts.search import SearchOptions
        from holdfact.ops.search import search_everything

        self._require_project()
        return search_everything(
            self.store, self.config, SearchOptions(query, regex, limit, offset)
        )

    def context(self, *, has_tool: bool = True) -> Context:
        """The block that tells an agent what is known.

        Args:
            has_tool: whether the agent can run `holdfact`; else it is told which files to read.
        """
        from holdfact.ops.context import context

        return context(self.store, has_tool=has_tool, is_trusted=self.trusts_project_facts)

    @property
    def trusts_project_facts(self) -> bool:
        """Whether project facts may reach a prompt or start a command of the user's.

        Those inside a repository need its trust.
        """
        return self.config.path("facts.project_dir") is None or self.config.is_project_trusted

    # Search over facts and documents.

    def recall(  # noqa: PLR0913 - each is one option of the command
        self,
        query: str,
        *,
        k: int | None = None,
        mode: str | None = None,
        scope: str | None = None,
        path: str | None = None,
        allow_degraded: bool = False,
        progress: Progress | None = None,
    ) -> Recalled:
        """Search the facts and the project's documents as they are on disk now.

        The first call builds the search index; later ones bring it up to date.

        Args:
            query: 1 to 4,096 characters.
            k: the most hits, 1 to 1,000; the configured number when left out.
            mode: `hybrid`, `lexical`, `vector`; the configured one when left out.
            scope: `project`, `global`, `facts`, `documents`; all when left out.
            path: a glob of documents' paths relative to the root.
            allow_degraded: answer with what works when the mode can't be served.
            progress: told (done, total, unit) while the index is brought up to date.

        Raises:
            UsageError: an argument is out of range.
            EngineError: it was not possible to search (nothing found is no error).
        """
        from holdfact.ops.recall import Question, recall

        self._require_project()
        question = Question(query, k, mode, scope, path, allow_degraded)
        return recall(self.config, self.store, question, state=self._state, progress=progress)

    def sync(self, *, progress: Progress | None = None) -> SyncReport:
        """Bring the search index up to date without searching.

        Raises:
            EngineError: it is not up to date afterwards; `recall` may still answer from what was.
        """
        from holdfact.ops.instance import open_engine, sync_all

        self._require_project()
        with open_engine(self.config, self._state) as engine:
            return sync_all(engine, self.store, progress)

    def status(self) -> Status:
        """What is stored, indexed and stale; nothing is written.

        A search index that can't be read is told in `engine_error`.

        Raises:
            EngineError: the project can't be listed.
        """
        from holdfact.ops.status import status

        self._require_project()
        return status(self.config, self.store, state=self._state)

    def engine_status(self) -> EngineStatus:
        """The state of the search index beside the disk; nothing is written.

        Raises:
            EngineError: the search index can't be read.
        """
        from holdfact.ops.status import engine_status

        self._require_project()
        return engine_status(self.config, self.store, state=self._state)

    # Review.

    def review(self) -> Sequence[Verdict]:
        """A verdict for each fact that can expire, in the order of `list`."""
        from holdfact.ops.review import review

        commands = self.config.commands("review.commands")
        return review(self.store, self.root, commands, is_trusted=self.trusts_project_facts)

    def delete_expired(self, verdicts: Iterable[Verdict]) -> Deletion:
        """Delete the facts that a review calls expired; one that changed since stays."""
        from holdfact.ops.review import delete_expired

        return delete_expired(self.store, verdicts)

    # Older places.

    def migration_plan(self) -> MigrationReport:
        """What `migrate` would copy."""
        from holdfact.facts.migrations import plan

        self._require_project()
        return plan(self.store)

    def migrate(self) -> MigrationReport:
        """Copy the facts that older programs kept elsewhere; a failure is in the report."""
        self._require_project()
        return self.store.migrate()

    def migrate_once(self) -> Sequence[str]:
        """`migrate` at the start of a program; what its user should hear, usually nothing."""
        if not self.store.has_project or not os.path.isdir(
            os.path.join(self.store.config_dir, _PROJECTS_FOLDER)
        ):
            return []
        report = self.migrate()
        notices = list(report.notes)
        if report.error:
            notices.append(f"older facts were not taken over: {report.error}")
        if report.copied:
            notices.append(f"{counted(len(report.copied), 'fact')} taken over from an older place")
        return notices


def _as_path(name: str, path: object) -> str:
    """`path` as text, after a look at what no type checker saw; a `pathlib.Path` does as well."""
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise UsageError(not_text(name, path), hint=_PATH_HINT)
    try:
        is_path = b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:  # half of a character
        is_path = False
    if not is_path:
        raise UsageError(f"{name} is {text!r}, which no file can have", hint=_PATH_HINT)
    return text


def _whole_path(name: str, path: object) -> str:
    return os.path.abspath(_as_path(name, path))


def _root(path: str, environ: Mapping[str, str]) -> tuple[str | None, NotAProject | None]:
    """The project's root, or why there is none."""
    try:
        return places.project_root(path, environ), None
    except NotAProject as err:
        return None, err


def _root_notice(config: Config) -> str:
    if config.path("facts.root") is None:
        return ""  # most users name none, and pay nothing
    from holdfact.ops.facts_root import root_notice

    return root_notice(config)


def _store(config: Config) -> Store:
    home = config.path("facts.root") or config.home.config
    own = config.path("facts.project_dir")
    inside = None if own is None or config.root is None else os.path.relpath(own, config.root)
    return Store(home, config.root, project_dir=inside)
