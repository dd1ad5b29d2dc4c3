"""holdfact: memory for AI agents that you can commit, verify and operate.

`Memory.open(folder)` opens the memory of a project: its facts and its documents. Importing this
package loads nothing; each name is loaded when it is first asked for.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.api import Memory
    from holdfact.core.config import Config
    from holdfact.core.errors import (
        ConfigError,
        EngineError,
        FactAmbiguous,
        FactConflict,
        FactError,
        FactNotFound,
        FileError,
        HoldfactError,
        UsageError,
        ValueRefused,
    )
    from holdfact.core.types import Skip
    from holdfact.facts.fact import Memory as Fact
    from holdfact.facts.lifecycle import Lifecycle
    from holdfact.facts.prompt_index import IndexStatus
    from holdfact.facts.scope import Scope
    from holdfact.facts.search import SearchHit, SearchResult
    from holdfact.facts.store import Survey
    from holdfact.ops.context import Context
    from holdfact.ops.recall import Recalled, RecalledHit
    from holdfact.ops.remember import Remembered
    from holdfact.ops.search import DocumentSearch
    from holdfact.ops.status import Status

__all__ = [
    "Config",
    "ConfigError",
    "Context",
    "DocumentSearch",
    "EngineError",
    "Fact",
    "FactAmbiguous",
    "FactConflict",
    "FactError",
    "FactNotFound",
    "FileError",
    "HoldfactError",
    "IndexStatus",
    "Lifecycle",
    "Memory",
    "Recalled",
    "RecalledHit",
    "Remembered",
    "Scope",
    "SearchHit",
    "SearchResult",
    "Skip",
    "Status",
    "Survey",
    "UsageError",
    "ValueRefused",
    "__version__",
]

# Name → module, and the name there when it differs.
_ERRORS = "core.errors"
_PLACES = {
    "Config": ("core.config", "Config"),
    "ConfigError": (_ERRORS, "ConfigError"),
    "Context": ("ops.context", "Context"),
    "DocumentSearch": ("ops.search", "DocumentSearch"),
    "EngineError": (_ERRORS, "EngineError"),
    "Fact": ("facts.fact", "Memory"),
    "FactAmbiguous": (_ERRORS, "FactAmbiguous"),
    "FactConflict": (_ERRORS, "FactConflict"),
    "FactError": (_ERRORS, "FactError"),
    "FactNotFound": (_ERRORS, "FactNotFound"),
    "FileError": (_ERRORS, "FileError"),
    "HoldfactError": (_ERRORS, "HoldfactError"),
    "IndexStatus": ("facts.prompt_index", "IndexStatus"),
    "Lifecycle": ("facts.lifecycle", "Lifecycle"),
    "Memory": ("api", "Memory"),
    "Recalled": ("ops.recall", "Recalled"),
    "RecalledHit": ("ops.recall", "RecalledHit"),
    "Remembered": ("ops.remember", "Remembered"),
    "Scope": ("facts.scope", "Scope"),
    "SearchHit": ("facts.search", "SearchHit"),
    "SearchResult": ("facts.search", "SearchResult"),
    "Skip": ("core.types", "Skip"),
    "Status": ("ops.status", "Status"),
    "Survey": ("facts.store", "Survey"),
    "UsageError": (_ERRORS, "UsageError"),
    "ValueRefused": (_ERRORS, "ValueRefused"),
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, own_name = _PLACES[name]
    value: object = getattr(import_module(f"{__name__}.{module}"), own_name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
