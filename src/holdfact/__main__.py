"""`python -m holdfact` is the program `holdfact`."""

from __future__ import annotations

from holdfact.cli.main import main

main()
