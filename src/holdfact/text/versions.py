"""The versions that indexes are built with, apart from the code, which a question needs not."""

from __future__ import annotations

__all__ = ["CHUNKER_VERSION"]

# Another number: the same text is cut in other places than before.
CHUNKER_VERSION = "2"
