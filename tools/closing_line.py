"""Print `N passed, N failed, N skipped` from a JUnit file: the last line of `make test`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

__all__ = ["closing_line"]


def closing_line(junit: str) -> str:
    """The counts of one pytest run, from the text of its JUnit report."""
    suite = re.search(r"<testsuite [^>]*>", junit)
    if suite is None:
        message = "the report holds no test suite"
        raise ValueError(message)
    count = {
        name: int(number)
        for name, number in re.findall(r'(tests|failures|errors|skipped)="(\d+)"', suite[0])
    }
    failed = count["failures"] + count["errors"]
    passed = count["tests"] - failed - count["skipped"]
    return f"{passed} passed, {failed} failed, {count['skipped']} skipped"


if __name__ == "__main__":
    print(closing_line(Path(sys.argv[1]).read_text(encoding="utf-8")))
