"""The committed memory index: a file in git that finds the project's documents in a fresh clone.

The public names are those of the format's source document; each is loaded when first asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.core.errors import MemoryIndexError

__all__ = ["MemoryIndexError"]

# Name → module, as in `holdfact` itself.
_PLACES = {"MemoryIndexError": "holdfact.core.errors"}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
