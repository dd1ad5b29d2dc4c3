"""The error tree: one class per cause, each with a stable code, an exit code and a hint.

```
HoldfactError
├── UsageError ─ ConfirmationRequired, NotAProject, PatternInvalid
├── InstanceNotFound
├── FactError ─ FactNotFound, FactAmbiguous, ValueRefused, FactConflict, FactUnreadable,
│             CodebaseUnknown, SecretFound
├── EngineError ─ EngineUnavailable, StoreCorrupt, StoreNewer, StoreBusy, ModeUnavailable
├── MemoryIndexError ─ IndexMissing, IndexUnreadable, IndexPartMissing, IndexPartMismatch,
│                      IndexTooLarge, IndexConfined, IndexStale
├── ConfinementError
├── ConfigError ─ ConfigKeyUnknown, ConfigValueInvalid, ExtraMissing
├── FileError ─ FileUnreadable (FileTooLarge, SourceUnreadable), FileUnwritable, LockTimeout
└── Interrupted
```

The first line of each class's docstring is its meaning in `docs/reference/errors.md`, which is
generated from this module. A message says what happened, to which file or row, and what to do;
`hint` is the command (or edit) that mends it. Programming errors are not part of the tree.
"""

from __future__ import annotations

__all__ = [
    "CodebaseUnknown",
    "ConfigError",
    "ConfigKeyUnknown",
    "ConfigValueInvalid",
    "ConfinementError",
    "ConfirmationRequired",
    "EngineError",
    "EngineUnavailable",
    "ExtraMissing",
    "FactAmbiguous",
    "FactConflict",
    "FactError",
    "FactNotFound",
    "FactUnreadable",
    "FileError",
    "FileTooLarge",
    "FileUnreadable",
    "FileUnwritable",
    "HoldfactError",
    "IndexConfined",
    "IndexMissing",
    "IndexPartMismatch",
    "IndexPartMissing",
    "IndexStale",
    "IndexTooLarge",
    "IndexUnreadable",
    "InstanceNotFound",
    "Interrupted",
    "LockTimeout",
    "MemoryIndexError",
    "ModeUnavailable",
    "NotAProject",
    "PatternInvalid",
    "SecretFound",
    "SourceUnreadable",
    "StoreBusy",
    "StoreCorrupt",
    "StoreNewer",
    "UsageError",
    "ValueRefused",
    "error_classes",
]


class HoldfactError(Exception):
    """Anything that holdfact reports to its user.

    Args:
        message: what happened, to what, and why.
        hint: the command or edit that mends it; the class's own `hint` when left out.
    """

    code = "internal"
    exit_code = 1
    hint = ""
    retryable = False

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if hint is not None:
            self.hint = hint


class UsageError(HoldfactError):
    """The command line or a call's arguments are wrong."""

    code = "usage"
    exit_code = 2
    hint = "holdfact --help"


class ConfirmationRequired(UsageError):
    """The command changes something and was not confirmed."""

    code = "confirmation_required"
    hint = "add --yes"


class NotAProject(UsageError):
    """What was asked for needs a project, and `/` and the home folder are none."""

    code = "not_a_project"
    hint = "go to the project's folder, or name it with -C"


class PatternInvalid(UsageError):
    """A search pattern can't be compiled."""

    code = "pattern_invalid"
    hint = "see the RE2 syntax, or search without --regex for the literal text"


class InstanceNotFound(HoldfactError):
    """No instance matches the selector."""

    code = "instance_not_found"
    exit_code = 4
    hint = "holdfact status"


class FactError(HoldfactError):
    """A fact can't be read or written as asked."""

    code = "fact"
    exit_code = 12


class FactNotFound(FactError):
    """No fact has that id."""

    code = "fact_not_found"
    exit_code = 10
    hint = "holdfact list"


class FactAmbiguous(FactError):
    """A bare name exists in both scopes."""

    code = "fact_ambiguous"
    exit_code = 11
    hint = "use project/NAME or global/NAME"


class ValueRefused(FactError):
    """A value of a fact breaks a rule or a limit."""

    code = "value_refused"
    exit_code = 12
    hint = "holdfact remember --help"


class FactConflict(FactError):
    """The fact changed since it was read."""

    code = "fact_conflict"
    exit_code = 13
    hint = "read the fact again and repeat the change with its new sha256"
    retryable = True


class SecretFound(FactError):
    """The text holds a credential, which must not be stored or committed."""

    code = "secret_found"
    exit_code = 14
    hint = "take the credential out; where it is none, add --allow-finding ID"


class FactUnreadable(FactError):
    """The fact's file exists but can't be read as a fact."""

    code = "fact_unreadable"
    exit_code = 15
    hint = "holdfact list shows each unreadable file and why; mend its header by hand"


class CodebaseUnknown(FactError):
    """Git does not say which repository a linked worktree belongs to."""

    code = "codebase_unknown"
    exit_code = 16
    hint = "make git rev-parse --git-common-dir work here (git worktree repair), or install git"


class EngineError(HoldfactError):
    """The search engine failed."""

    code = "engine"
    exit_code = 20


class EngineUnavailable(EngineError):
    """The search index can't be opened or built."""

    code = "engine_unavailable"
    exit_code = 20
    hint = "holdfact status"


class StoreCorrupt(EngineError):
    """The search index is damaged and could not be built anew; it is derived."""

    code = "store_corrupt"
    exit_code = 21
    hint = "holdfact engine sync"


class StoreNewer(EngineError):
    """A newer holdfact wrote the search index."""

    code = "store_newer"
    exit_code = 22
    hint = "upgrade holdfact, or keep an index of its own with --state DIR"


class StoreBusy(EngineError):
    """Another process holds the search index."""

    code = "store_busy"
    exit_code = 23
    hint = "try again"
    retryable = True


class ModeUnavailable(EngineError):
    """The search mode that was asked for can't be served."""

    code = "mode_unavailable"
    exit_code = 24
    hint = "holdfact recall --mode lexical QUERY"


class MemoryIndexError(HoldfactError):
    """The committed index can't be read or written; what is committed is unchanged."""

    code = "memory_index"
    exit_code = 31
    hint = "holdfact index refresh"


class IndexMissing(MemoryIndexError):
    """There is no committed index."""

    code = "index_missing"
    exit_code = 30
    hint = "holdfact index build"


class IndexUnreadable(MemoryIndexError):
    """The committed index is no valid JSON, or breaks the rules of its format."""

    code = "index_unreadable"
    exit_code = 31


class IndexPartMissing(MemoryIndexError):
    """A part that the manifest lists is missing."""

    code = "index_part_missing"
    exit_code = 32


class IndexPartMismatch(MemoryIndexError):
    """A part is not the one that the manifest lists: truncated, edited, or of another build."""

    code = "index_part_mismatch"
    exit_code = 33


class IndexTooLarge(MemoryIndexError):
    """A size is over its limit, or the cap on a file's size is not one; nothing was written."""

    code = "index_too_large"
    exit_code = 34
    hint = "set index.shard_max_bytes to a whole number of at least 1024"


class IndexConfined(MemoryIndexError):
    """The committed index leads to a file outside its folder or outside the project."""

    code = "index_confined"
    exit_code = 35


class IndexStale(MemoryIndexError):
    """The committed index is not that of the sources as they are now."""

    code = "index_stale"
    exit_code = 36


class ConfinementError(HoldfactError):
    """A path from outside leads out of the folder that it must stay in."""

    code = "path_confined"
    exit_code = 35


class ConfigError(HoldfactError):
    """The configuration is wrong."""

    code = "config"
    exit_code = 40
    hint = "holdfact config show"


class ConfigKeyUnknown(ConfigError):
    """A configuration file has a key that holdfact does not know."""

    code = "config_key_unknown"
    hint = "holdfact config keys"


class ConfigValueInvalid(ConfigError):
    """A configuration value has the wrong type or is out of range."""

    code = "config_value_invalid"
    hint = "holdfact config keys"


class ExtraMissing(ConfigError):
    """The feature needs an optional dependency that is not installed."""

    code = "extra_missing"


class FileError(HoldfactError):
    """The file system refused."""

    code = "file"
    exit_code = 50


class FileUnreadable(FileError):
    """A file can't be read."""

    code = "file_unreadable"
    exit_code = 50


class FileTooLarge(FileUnreadable):
    """A file is larger than its limit."""

    code = "file_too_large"


class SourceUnreadable(FileUnreadable):
    """A document can't be used as text: gone, too large, binary, or not UTF-8.

    Args:
        path: the document, relative to its root.
        reason: why, without the path; what a skip shows.
    """

    code = "source_unreadable"

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.reason = reason


class FileUnwritable(FileError):
    """A file can't be written; what was there before is unchanged."""

    code = "file_unwritable"
    exit_code = 51


class LockTimeout(FileError):
    """Another process holds a lock."""

    code = "lock_timeout"
    exit_code = 52
    hint = "try again when the other process is done"
    retryable = True


class Interrupted(HoldfactError):
    """Stopped by the user."""

    code = "interrupted"
    exit_code = 130
    retryable = True


def error_classes() -> list[type[HoldfactError]]:
    """Every class of the tree, parents before children, in the order of the drawing above."""
    found: list[type[HoldfactError]] = []

    def walk(cls: type[HoldfactError]) -> None:
        found.append(cls)
        for child in cls.__subclasses__():
            walk(child)

    walk(HoldfactError)
    return found
