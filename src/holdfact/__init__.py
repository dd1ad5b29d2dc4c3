"""holdfact: memory for AI agents that you can commit, verify and operate."""

from __future__ import annotations

__version__ = "0.1.0"
