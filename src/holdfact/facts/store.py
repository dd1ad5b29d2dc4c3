"""The store: all facts of one workspace, in its two scopes.

**Invariant:** reading changes nothing; only `write` and `delete` touch a fact's file, under the
lock of its folder, atomically and durably.
"""

from __future__ import annotations

import os

from holdfact.core.digest import sha256_hex
from holdfact.core.errors import (
    FactAmbiguous,
    FactConflict,
    FactNotFound,
    FactUnreadable,
    NotAProject,
    ValueRefused,
)
from holdfact.core.files import (
    confine,
    make_folder,
    remove_durable,
    remove_leftovers,
    write_atomic,
)
from holdfact.core.limits import FACT_LOCK_TIMEOUT_S
from holdfact.core.record import NamedTuple
from holdfact.core.types import Document
from holdfact.core.words import counted
from holdfact.facts.codebase import Codebase, identify, require_home
from holdfact.facts.folder import FactFile, FactFolder, Problem, Stamp
from holdfact.facts.names import fact_id, parse_id
from holdfact.facts.printable import clean
from holdfact.facts.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from holdfact.facts.fact import Memory
    from holdfact.facts.migrations.report import MigrationReport
    from holdfact.facts.prompt_index import IndexStatus, PromptIndex
    from holdfact.facts.search import SearchOptions, SearchResult

    # Inside the class, `list` is the verb.
    Memories = list[Memory]
    Problems = list[Problem]
    Documents = list[Document]
    Stamps = list[Stamp]

__all__ = ["Problem", "Stamp", "Store", "Survey"]

_FACTS_FOLDER = "memory"


class Survey(NamedTuple):
    """Everything that one look at the folders tells.

    Attributes:
        memories: every fact that can be read, project first, each scope by name.
        problems: each file that is not as a fact should be, and why.
        warnings: facts whose header differs from their place; the place decides.
    """

    memories: Memories
    problems: Problems
    warnings: Problems

    @property
    def unreadable(self) -> Problems:
        """The problems that cost a fact: those of files and folders that gave none."""
        listed = {memory.path for memory in self.memories}
        return [problem for problem in self.problems if problem.path not in listed]


class Store:
    """The facts of one workspace. Making one reads, creates and migrates nothing.

    Args:
        config_dir: the configuration root, shared by all workspaces.
        workspace_root: a folder of the workspace; its repository selects the project scope. None
            where is no project: there are global facts only.
        project_dir: a folder relative to `workspace_root` that holds the project's facts instead,
            so that git shares them.

    Raises:
        ConfinementError: `project_dir` leads out of the workspace.
    """

    def __init__(
        self, config_dir: str, workspace_root: str | None, *, project_dir: str | None = None
    ) -> None:
        self.config_dir = os.path.abspath(config_dir)
        self._root = None if workspace_root is None else os.path.abspath(workspace_root)
        self._own = project_dir
        self._codebase: Codebase | None = None
        if project_dir is not None:
            confine(project_dir, self.workspace_root)

    @property
    def has_project(self) -> bool:
        """Whether there is a project scope."""
        return self._root is not None

    @property
    def workspace_root(self) -> str:
        """The folder of the workspace.

        Raises:
            NotAProject: there is none.
        """
        if self._root is None:
            raise NotAProject("this is no project: there are global facts only")
        return self._root

    @property
    def global_dir(self) -> str:
        """The folder of the facts that hold everywhere."""
        return os.path.join(self.config_dir, "global", _FACTS_FOLDER)

    @property
    def project_dir(self) -> str:
        """The folder of this workspace's facts.

        Asks git when first needed, and again only as long as it does not answer.

        Raises:
            ConfinementError: a folder inside the workspace was replaced by a link that leads out.
        """
        if self._own is not None:
            return confine(self._own, self.workspace_root)
        if self._codebase is None or not self._codebase.is_certain:
            self._codebase = identify(self.workspace_root)
        return os.path.join(self.config_dir, "codebases", self._codebase.key, _FACTS_FOLDER)

    @property
    def is_certain(self) -> bool:
        """False when git was asked which repository this is and, the last time, did not answer.

        The project's facts are then those of the folder alone; other worktrees have others.
        """
        return self._codebase is None or self._codebase.is_certain

    def survey(self) -> Survey:
        """One look at both scopes; no single bad file makes it fail."""
        found = Survey([], [], [])
        for scope, file in self._files(found.problems):
            found.memories.append(file.parsed.as_memory(file.name, scope, file.path))
            found.warnings.extend(
                Problem(file.path, warning) for warning in file.parsed.warnings(file.name, scope)
            )
        return found

    def list(self) -> Memories:
        """Every fact that can be read: project first, then global, each by name in byte order."""
        return self.survey().memories

    def problems(self) -> Problems:
        """Each file that is not as a fact should be: unreadable, malformed, no slug, not UTF-8."""
        return self.survey().problems

    def read(self, id: str) -> Memory:  # noqa: A002 - the word that the callers know
        """One fact by `project/NAME`, `global/NAME` or a bare name.

        Raises:
            ValueRefused: the id is none; the file system was not asked.
            FactNotFound: there is no such fact.
            FactAmbiguous: a bare name that both scopes have.
            FactUnreadable: its file can't be read as a fact.
        """
        return self.read_with_digest(id)[0]

    def read_with_digest(self, id: str) -> tuple[Memory, str]:  # noqa: A002 - as above
        """Like `read`, with the SHA-256 of the file's bytes for `write(…, if_match=…)`."""
        folder, name = self._locate(id)
        file = folder.read(name)
        return file.parsed.as_memory(name, folder.scope, file.path), sha256_hex(file.data)

    def place(self, id: str) -> tuple[str, str]:  # noqa: A002 - as above
        """The full id of a fact, readable or not, and the path of its file.

        Raises:
            ValueRefused: the id is none; the file system was not asked.
            FactNotFound: there is no such fact.
            FactAmbiguous: a bare name that both scopes have.
            FactUnreadable: its folder can't be looked into.
        """
        folder, name = self._locate(id)
        return fact_id(folder.scope, name), folder.path_of(name)

    def write(self, memory: Memory, *, if_match: str | None = None) -> str:
        """Write a fact, or replace it whole; header lines that are not ours are preserved.

        Args:
            memory: the fact; its scope and name say where, `path` is not looked at.
            if_match: the SHA-256 that the file must still have, from `read_with_digest`.

        Returns:
            What was changed or is advised, and how full the prompt index is now.

        Raises:
            ValueRefused: a value breaks a rule or a limit.
            FactConflict: the file is not the one that `if_match` means.
            FactUnreadable: its folder can't be looked into.
            CodebaseUnknown: git does not say which repository a linked worktree belongs to.
            FileUnwritable: the file system refused; the fact is as before.
        """
        from holdfact.core import locks
        from holdfact.facts.rules import check

        checked, notes = check(memory)
        folder = self._folder(checked.scope)
        if checked.scope is Scope.PROJECT and self._codebase is not None:
            require_home(self._codebase, self.workspace_root)
        make_folder(folder.path)
        with locks.folder_locked(folder.path, timeout_s=FACT_LOCK_TIMEOUT_S):
            before = _before(folder, checked.name, notes)
            if if_match is not None:
                _check_match(checked.id, before, if_match)
            remove_leftovers(folder.path)
            write_atomic(folder.path_of(checked.name), _bytes(checked, before))
        return " ".join(f"{note[:1].upper()}{note[1:]}." for note in [*notes, *self._fill(checked)])

    def delete(self, id: str, *, if_match: str | None = None) -> None:  # noqa: A002 - as above
        """Delete a fact, readable or not; a symbolic link goes, what it leads to stays.

        Args:
            id: `project/NAME`, `global/NAME` or a bare name.
            if_match: the SHA-256 that the file must still have, from `read_with_digest`.

        Raises:
            ValueRefused: the id is none; the file system was not asked.
            FactNotFound: there is no such fact.
            FactAmbiguous: a bare name that both scopes have.
            FactConflict: the file is not the one that `if_match` means.
            FactUnreadable: its folder can't be looked into.
            FileUnwritable: the file system refused.
        """
        from holdfact.core import locks

        folder, name = self._locate(id)
        with locks.folder_locked(folder.path, timeout_s=FACT_LOCK_TIMEOUT_S):
            if not folder.holds(name):  # deleted while this process waited
                raise _not_found(id)
            if if_match is not None:
                _check_match(fact_id(folder.scope, name), _before(folder, name, []), if_match)
            remove_durable(folder.path_of(name))

    def search(self, options: SearchOptions) -> SearchResult:
        """The page of facts that match; see `holdfact.facts.search`."""
        from holdfact.facts.search import search

        return search(self.list(), options)

    def format_index(self, memories: Iterable[Memory] | None = None) -> str:
        """The prompt index of `memories`, or of all facts; empty when there are none."""
        return self.prompt_index(memories).text

    def index_status(self) -> IndexStatus:
        """How full the prompt index is."""
        return self.prompt_index().status

    def prompt_index(self, memories: Iterable[Memory] | None = None) -> PromptIndex:
        """The prompt index with its status and the ids of what is not shown."""
        from holdfact.facts.prompt_index import render

        return render(self.list() if memories is None else memories)

    def frame(self, *, has_tool: bool, index: PromptIndex | None = None) -> str:
        """The block for a prompt, of `index` or of all facts; see `prompt_index.frame`."""
        from holdfact.facts.prompt_index import frame

        return frame(
            index or self.prompt_index(),
            has_tool=has_tool,
            project_dir=self.project_dir if self.has_project else None,
            global_dir=self.global_dir,
        )

    def documents(self) -> Documents:
        """Every fact as a document: its text is the body, always valid Unicode."""
        return [
            Document(
                id=clean(fact_id(scope, file.name)),
                kind="fact",
                path=file.path,
                text=clean(file.parsed.body),
                name=clean(file.name),
                description=clean(file.parsed.header.get("description", "")),
                scope=scope.value,
                first_line=file.parsed.first_body_line,
            )
            for scope, file in self._files([])
        ]

    def stamps(self) -> Stamps:
        """A stamp for each fact's file, in the order of `list`; no file is read."""
        return [stamp for scope in self._scopes for stamp in self._folder(scope).stamps()]

    def migrate(self) -> MigrationReport:
        """Bring this workspace's facts up to date; see `holdfact.facts.migrations`."""
        from holdfact.facts.migrations import migrate

        return migrate(self)

    def migrate_v1_if_needed(self) -> MigrationReport:
        """Turn a flat `MEMORY.md` into a fact; see `holdfact.facts.migrations`."""
        from holdfact.facts.migrations import migrate_v1_if_needed

        return migrate_v1_if_needed(self)

    @property
    def _scopes(self) -> tuple[Scope, ...]:
        return tuple(Scope) if self.has_project else (Scope.GLOBAL,)

    def _files(self, problems: Problems) -> Iterator[tuple[Scope, FactFile]]:
        for scope in self._scopes:
            for file in self._folder(scope).files(problems):
                yield scope, file

    def _folder(self, scope: Scope) -> FactFolder:
        path = self.project_dir if scope is Scope.PROJECT else self.global_dir
        return FactFolder(scope, path)

    def _locate(self, text: str) -> tuple[FactFolder, str]:
        """The folder that holds the fact, and the fact's name."""
        scope, name = parse_id(text)
        scopes = self._scopes if scope is None else (scope,)
        holding = [folder for folder in map(self._folder, scopes) if folder.holds(name)]
        if not holding:
            raise _not_found(text)
        if len(holding) > 1:
            raise FactAmbiguous(f"{name} is a fact of both scopes: project/{name}, global/{name}")
        return holding[0], name

    def _fill(self, written: Memory) -> Iterator[str]:
        """How full the index is after a write, and whether the written fact reaches the prompt."""
        index = self.prompt_index()
        status = index.status
        percent = status.used_bytes * 100 // status.budget_bytes
        yield (
            f"the prompt index is {percent} % full ({status.used_bytes} of {status.budget_bytes} "
            f"bytes); {_fit(status)}"
        )
        if written.id in index.dropped_ids:
            yield "this fact is one of them: shorten or delete others, or find it by search"


def _fit(status: IndexStatus) -> str:
    if status.dropped:
        fit = (
            "doesn't fit and never reaches" if status.dropped == 1 else "don't fit and never reach"
        )
        return f"{status.dropped} of {counted(status.facts, 'fact')} {fit} the prompt"
    return "its only fact fits" if status.facts == 1 else f"all {status.facts} facts fit"


def _not_found(text: str) -> FactNotFound:
    return FactNotFound(f"there is no fact {text}")


def _before(folder: FactFolder, name: str, notes: list[str]) -> FactFile | None:
    if not folder.holds(name):
        if os.path.lexists(folder.path_of(name)):
            raise ValueRefused(
                f"{name} would replace a file of another case in {folder.path}: choose another "
                f"name, as in {name}-2"
            )
        return None
    try:
        return folder.read(name)
    except FactUnreadable:
        notes.append("what stood there before could not be read as a fact and was replaced")
        return None


def _check_match(full_id: str, before: FactFile | None, if_match: str) -> None:
    found = sha256_hex(before.data) if before else "no readable file"
    if found != if_match.lower():
        raise FactConflict(
            f"{full_id} changed since it was read: expected sha256 {if_match[:80]}, found {found}"
        )


def _bytes(memory: Memory, before: FactFile | None) -> bytes:
    from holdfact.facts.fact import is_conflict_marker
    from holdfact.facts.rules import serialize_checked

    if before is None:
        return serialize_checked(memory)
    kept_type = memory.type or before.parsed.header.get("type")
    kept_lines = [line for line in before.parsed.kept_lines if not is_conflict_marker(line)]
    return serialize_checked(memory._replace(type=kept_type), kept_lines)
