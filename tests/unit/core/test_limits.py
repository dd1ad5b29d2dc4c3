"""Limits: each has one value."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from holdfact.core import limits


def test_no_limit_is_set_twice() -> None:
    tree = ast.parse(Path(limits.__file__).read_text(encoding="utf-8"))
    names = [
        target.id
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    ]
    assert [] == [name for name, count in Counter(names).items() if count > 1]
    assert "MAX_FACT_BYTES" in names
