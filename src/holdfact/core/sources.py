"""Which files of a project are documents, and which were passed over and why.

- A document is a regular file whose path matches the patterns and no exclusion (`core.globs`).
- Git decides what is ignored, and nothing else: it is asked once, and once more in each submodule.
  Without git nothing counts as ignored, and `Sources.ignore_known` says so.
- Tool folders are left out by name, and any folder that calls itself a cache or a virtual
  environment. Inside a repository another repository (a clone, a worktree) is a project of its own
  and is left out; submodules belong to the tree.
- A symbolic link to a file inside the root is followed, once: a file that has several names counts
  under its own. Linked folders are not entered; inside the root they are found where they are.
- A skip whose path ends with `/` stands for a whole folder.

Whether a file is binary, or not UTF-8, is seen when it is read: `read_source`.
"""

from __future__ import annotations

import os
import stat

from holdfact.core import git
from holdfact.core.errors import ConfigValueInvalid, FileUnreadable, SourceUnreadable
from holdfact.core.files import close_quietly, confine, read_bounded
from holdfact.core.globs import path_matcher, subtree_matcher
from holdfact.core.limits import BINARY_PROBE_BYTES, MAX_SOURCE_FILES
from holdfact.core.record import NamedTuple
from holdfact.core.sources_ignored import IGNORED, Ignored, ask_git, probe_folder
from holdfact.core.types import Skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["TOOL_FOLDERS", "SourceFile", "Sources", "find_sources", "read_source"]

# Folders that tools fill. None of them holds what a person wrote for others to read.
TOOL_FOLDERS = frozenset(
    """
    .git .hg .svn .bzr .jj .holdfact
    node_modules bower_components jspm_packages .yarn .pnpm-store .npm
    .venv venv virtualenv .virtualenv __pycache__ __pypackages__ site-packages .eggs .tox .nox
    .mypy_cache .pytest_cache .ruff_cache .hypothesis .ipynb_checkpoints .pytype .pixi .conda
    .cache .parcel-cache .turbo .next .nuxt .svelte-kit .angular .vite .docusaurus .astro
    .gradle .terraform .terragrunt-cache .serverless .aws-sam .bundle .dart_tool .stack-work
    .cargo .rustup .ccache .direnv .nyc_output .sass-cache .import_linter_cache
    """.split()  # noqa: SIM905 - one name a line would take sixty lines
)
_LIST_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_MARKERS = frozenset({".git", "pyvenv.cfg", "CACHEDIR.TAG"})
_LEAVES = "a symbolic link that leads out of the project"
_BROKEN = "a symbolic link that leads nowhere"


class SourceFile(NamedTuple):
    """A document's file as it was found.

    Attributes:
        path: relative to the root, POSIX.
        size: bytes.
        mtime_ns: time of the last change of the content, nanoseconds since the epoch.
        ctime_ns: time of the last change of content or attributes; can't be set back.
        inode: the file's number; another file under the same name has another one.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Sources(NamedTuple):
    """What was found: documents by path, what was passed over, and whether git could be asked."""

    files: list[SourceFile]
    skipped: list[Skip]
    ignore_known: bool


def find_sources(
    root: str,
    patterns: Sequence[str],
    exclude: Sequence[str],
    *,
    max_file_bytes: int,
    list_ignored: bool = True,
) -> Sources:
    """Find the documents below `root`. Nothing is read and nothing is written.

    Args:
        root: an existing folder.
        patterns: globs of what is a document.
        exclude: globs of files and folders that are left out, and not listed.
        max_file_bytes: larger files are skipped, and listed.
        list_ignored: whether ignored documents are listed among the skipped ones.

    Raises:
        FileUnreadable: the root is missing or can't be listed, or vanished meanwhile.
        ConfigValueInvalid: more than `MAX_SOURCE_FILES` files match.
    """
    base = os.path.realpath(root)
    walk = _Walk(base, patterns, exclude, max_file_bytes, list_ignored=list_ignored)
    before = _identity(base)
    walk.run()
    if _identity(base) != before:
        raise FileUnreadable(f"{base} was replaced while it was listed", hint="try again")
    walk.finish()
    return Sources(sorted(walk.files), sorted(walk.skipped), walk.ignored.is_known)


def read_source(root: str, file: SourceFile | str, limit_bytes: int) -> str:
    """The text of a document, without a byte order mark.

    Raises:
        SourceUnreadable: gone, leads out of the root, too large, binary, or not UTF-8.
    """
    path = file if isinstance(file, str) else file.path
    try:
        # Confined, it has no link left: one that takes its place meanwhile leads nowhere.
        data = read_bounded(confine(path, root), limit_bytes, follow=False)
    except FileUnreadable as err:
        raise SourceUnreadable(path, err.message) from err
    if b"\0" in data[:BINARY_PROBE_BYTES]:
        raise SourceUnreadable(path, "binary")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        raise SourceUnreadable(path, f"not UTF-8 (byte {err.start})") from err


def _identity(base: str) -> tuple[int, int]:
    try:
        status = os.stat(base)
    except OSError as err:
        raise FileUnreadable(f"can't list {base}: {err.strerror}") from err
    return status.st_dev, status.st_ino


class _Walk:
    """One pass over a project."""

    def __init__(
        self,
        base: str,
        patterns: Sequence[str],
        exclude: Sequence[str],
        max_file_bytes: int,
        *,
        list_ignored: bool,
    ) -> None:
        self.base = base.rstrip("/")  # the root of the file system becomes empty
        self.matches = path_matcher(patterns)
        self.excludes = subtree_matcher(exclude)
        self.has_exclusions = bool(exclude)
        self.max_file_bytes = max_file_bytes
        self.list_ignored = list_ignored
        self.files: list[SourceFile] = []
        self.skipped: list[Skip] = []
        self.links: list[str] = []
        self.names: dict[tuple[int, int], list[str]] = {}  # of files that have several
        self.tree = git.working_tree(base)
        self.ignored = ask_git(base) if self.tree else Ignored()

    def run(self) -> None:
        """Walk the tree; symbolic links are only noted."""
        waiting = [""]
        if self.ignored.has("./"):
            waiting.clear()
            self.skip("./", IGNORED)
        while waiting:
            prefix = waiting.pop()
            waiting += self._folder(prefix)
            if len(self.files) > MAX_SOURCE_FILES:
                raise ConfigValueInvalid(
                    f"more than {MAX_SOURCE_FILES} files of {self.base} match engine.sources",
                    hint="narrow engine.sources, or add to engine.exclude",
                )

    def _folder(self, prefix: str) -> list[str]:
        """Take the files of one folder, and return its sub-folders (each ends with `/`)."""
        try:
            # From an open folder the system looks up names, not whole paths: 5 % of a walk.
            folder = os.open(self.base + "/" + prefix, _LIST_FLAGS)
        except OSError as err:
            return self._unlistable(prefix, err)
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
            return self._entries(prefix, entries)
        except OSError as err:
            return self._unlistable(prefix, err)
        finally:
            close_quietly(folder)

    def _unlistable(self, prefix: str, err: OSError) -> list[str]:
        if not prefix:
            raise FileUnreadable(f"can't list {self.base}: {err.strerror}") from err
        self.skip(prefix, f"can't be listed: {_reason(err)}")
        return []

    def _entries(self, prefix: str, entries: list[os.DirEntry[str]]) -> list[str]:
        markers = _MARKERS.intersection([entry.name for entry in entries])
        if markers and prefix and not self._enters(prefix, markers):
            return []
        below: list[str] = []
        for entry in entries:
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in TOOL_FOLDERS and self._wants_folder(path):
                    below.append(path + "/")
            elif self.matches(path):
                self._candidate(path, entry)
            elif entry.is_symlink() and entry.name not in TOOL_FOLDERS:
                self.links.append(path)
        return below

    def _enters(self, prefix: str, markers: set[str] | frozenset[str]) -> bool:
        """Whether a folder that carries a marker belongs to the project."""
        if markers != {".git"}:
            return False  # a cache or a virtual environment
        if self.tree is None:
            return True
        own = git.git_folder(self.tree)
        other = git.git_folder(self.base + "/" + prefix)
        if other is None:  # a `.git` that is no repository
            return True
        if own is not None and other.startswith(own + "/modules/"):
            return self._enters_submodule(prefix)
        self.skip(prefix, "another git repository")
        return False

    def _enters_submodule(self, prefix: str) -> bool:
        if self.ignored.add_submodule(self.base, prefix):
            return True
        self.skip(prefix, "too many submodules")
        return False

    def _wants_folder(self, path: str) -> bool:
        if self.has_exclusions and self.excludes(path):
            return False
        if not _is_utf8(path):
            self.skip(path + "/", "its name is not UTF-8")
            return False
        if self.ignored.has(path + "/"):
            if self.list_ignored:
                self.skipped += probe_folder(
                    self.base, path + "/", self._is_document, TOOL_FOLDERS, self.ignored
                )
            return False
        return True

    def _is_document(self, path: str) -> bool:
        return self.matches(path) and not (self.has_exclusions and self.excludes(path))

    def _candidate(self, path: str, entry: os.DirEntry[str]) -> None:
        if self.has_exclusions and self.excludes(path):
            return
        if not path.isascii() and not _is_utf8(path):
            self.skip(path, "its name is not UTF-8")
        elif self.ignored.has(path):
            if self.list_ignored:
                self.skip(path, IGNORED)
        elif entry.is_symlink():
            self.links.append(path)
        else:
            try:
                self._take(path, entry.stat(follow_symlinks=False))
            except OSError as err:
                self.skip(path, f"can't be read: {_reason(err)}")

    def _take(self, path: str, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            self.skip(path, "not a regular file")
        elif status.st_size > self.max_file_bytes:
            self.skip(
                path, f"too large: {status.st_size} bytes, the limit is {self.max_file_bytes}"
            )
        else:
            if status.st_nlink > 1:
                self.names.setdefault((status.st_dev, status.st_ino), []).append(path)
            # The tuple itself: through the class 2,000 files would take 1 ms more.
            self.files.append(
                tuple.__new__(
                    SourceFile,
                    (path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino),
                )
            )

    def skip(self, path: str, reason: str) -> None:
        """Note that a path was passed over."""
        self.skipped.append(Skip(_shown(path), reason))

    def finish(self) -> None:
        """Take the files that only a symbolic link leads to, and each file once."""
        found = {file.path for file in self.files}
        for path in sorted(self.links):
            target = os.path.realpath(self.base + "/" + path)
            if (target + "/").startswith(self.base + "/"):
                inside = target[len(self.base) + 1 :]
                if inside not in found and self.matches(path):
                    self._follow(path, inside)
            elif os.path.isdir(target):
                self.skip(path + "/", _LEAVES)
            elif self.matches(path):
                self.skip(path, _LEAVES if os.path.lexists(target) else _BROKEN)
        self._keep_one_name()

    def _follow(self, path: str, inside: str) -> None:
        if self._is_left_out(inside):
            self.skip(path, "leads to a file that is left out")
            return
        try:
            status = os.stat(self.base + "/" + inside)
        except OSError:
            self.skip(path, _BROKEN)
            return
        self.names.setdefault((status.st_dev, status.st_ino), []).append(path)
        self._take(path, status)

    def _is_left_out(self, inside: str) -> bool:
        if self.has_exclusions and self.excludes(inside):
            return True
        return self.ignored.covers(inside) or not TOOL_FOLDERS.isdisjoint(inside.split("/"))

    def _keep_one_name(self) -> None:
        surplus: set[str] = set()
        for names in self.names.values():
            surplus.update(set(names) - {min(names)})
        if surplus:
            self.files = [file for file in self.files if file.path not in surplus]


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(path: str) -> str:
    """A path that any output can carry: bytes that are not UTF-8 in hexadecimal."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _reason(err: OSError) -> str:
    return (err.strerror or str(err)).lower()
