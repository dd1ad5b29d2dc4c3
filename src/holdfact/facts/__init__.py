"""Fact files: typed, single-fact Markdown files in two scopes.

The public names are loaded when they are first asked for, so that importing the package costs
nothing.
"""

from __future__ import annotations

from holdfact.core.limits import (
    DEFAULT_SEARCH_LIMIT,
    MAX_DESCRIPTION_BYTES,
    MAX_SEARCH_LIMIT,
    SNIPPET_BYTES,
)
from holdfact.core.limits import MAX_FACT_BYTES as MAX_FACT_SIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.facts.codebase import codebase_key, repo_codebase_key
    from holdfact.facts.fact import Memory
    from holdfact.facts.folder import Problem, Stamp
    from holdfact.facts.lifecycle import Lifecycle
    from holdfact.facts.names import valid_name, valid_type
    from holdfact.facts.prompt_index import IndexStatus, PromptIndex, index_status_of
    from holdfact.facts.scope import Scope, Type, parse_scope, scope_for_type
    from holdfact.facts.search import SearchHit, SearchOptions, SearchResult
    from holdfact.facts.store import Store, Survey

__all__ = [
    "DEFAULT_SEARCH_LIMIT",
    "MAX_DESCRIPTION_BYTES",
    "MAX_FACT_SIZE",
    "MAX_SEARCH_LIMIT",
    "SNIPPET_BYTES",
    "IndexStatus",
    "Lifecycle",
    "Memory",
    "Problem",
    "PromptIndex",
    "Scope",
    "SearchHit",
    "SearchOptions",
    "SearchResult",
    "Stamp",
    "Store",
    "Survey",
    "Type",
    "codebase_key",
    "index_status_of",
    "parse_scope",
    "repo_codebase_key",
    "scope_for_type",
    "valid_name",
    "valid_type",
]

_MODULES = {
    "IndexStatus": "prompt_index",
    "Lifecycle": "lifecycle",
    "Memory": "fact",
    "Problem": "folder",
    "PromptIndex": "prompt_index",
    "Scope": "scope",
    "SearchHit": "search",
    "SearchOptions": "search",
    "SearchResult": "search",
    "Stamp": "folder",
    "Store": "store",
    "Survey": "store",
    "Type": "scope",
    "codebase_key": "codebase",
    "index_status_of": "prompt_index",
    "parse_scope": "scope",
    "repo_codebase_key": "codebase",
    "scope_for_type": "scope",
    "valid_name": "names",
    "valid_type": "names",
}


def __getattr__(name: str) -> object:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # `importlib` would do, but importing it costs more than most of the modules.
    value: object = getattr(__import__(f"{__name__}.{module}", fromlist=[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
