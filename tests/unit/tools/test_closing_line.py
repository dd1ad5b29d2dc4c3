"""The last line of `make test`."""

from __future__ import annotations

import pytest

from tools.closing_line import closing_line


@pytest.mark.parametrize(
    ("attributes", "line"),
    [
        (
            'name="pytest" errors="0" failures="0" skipped="2" tests="9"',
            "7 passed, 0 failed, 2 skipped",
        ),
        (
            'errors="1" failures="2" skipped="0" tests="9" time="1.5"',
            "6 passed, 3 failed, 0 skipped",
        ),
    ],
)
def test_counts(attributes: str, line: str) -> None:
    assert line == closing_line(f"<testsuites><testsuite {attributes}><testcase/></testsuite>")


def test_a_report_without_a_suite_is_refused() -> None:
    with pytest.raises(ValueError, match="no test suite"):
        closing_line("<testsuites/>")
