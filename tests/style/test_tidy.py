"""Every Python file keeps the rules of `tools/tidy.py`, and each rule can fail."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools.tidy import RULES, check, parse

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "tools", "demo", "benchmarks")
SRC = "src/holdfact/x.py"
TEST = "tests/unit/test_x.py"

# The rule, where it stands, what breaks it.
BAD = [
    ("file_length", SRC, "\n" * 601),
    ("function_length", SRC, "def f():\n" + "    pass\n" * 70),
    ("module_docstring", SRC, "x = 1\n"),
    ("names", "src/holdfact/core/file_utils.py", ""),
    ("names", "src/holdfact/helpers/x.py", ""),
    ("names", SRC, "class StoreManager: ...\n"),
    ("names", SRC, "class Handler: ...\n"),
    ("prints", SRC, "print('x')\n"),
    ("prints", "src/holdfact/cli/main.py", "import sys\nsys.stderr.write('x')\n"),
    ("clock", SRC, "import time\ntime.time()\n"),
    ("clock", SRC, "from time import monotonic\n"),
    ("clock", SRC, "from datetime import datetime\ndatetime.now()\n"),
    ("encodings", SRC, "open('x')\n"),
    ("encodings", TEST, "from pathlib import Path\nPath('x').read_text()\n"),
    ("writes", SRC, "open('x', 'wb')\n"),
    ("writes", SRC, "open('x', mode='a', encoding='utf-8')\n"),
    ("writes", SRC, "import os\nos.replace('a', 'b')\n"),
    ("writes", SRC, "import os\nos.open('x', os.O_WRONLY)\n"),
    ("writes", SRC, "import shutil\nshutil.rmtree('x')\n"),
    ("writes", SRC, "p.write_text('x', encoding='utf-8')\n"),
    ("imports", SRC, "from dataclasses import dataclass\n"),
    ("imports", SRC, "def f():\n    import pathlib\n"),
    ("silenced", SRC, "x = 1  # noqa: E501\n"),
    ("silenced", SRC, "x = 1  # TODO: later\n"),
    ("test_sleeps", TEST, "import time\ntime.sleep(1)\n"),
    ("test_sleeps", TEST, "from time import sleep\n"),
    ("test_can_fail", TEST, "def test_x():\n    f()\n"),
    ("test_can_fail", TEST, "def test_x():\n    assert True\n"),
    ("test_can_fail", TEST, "def prepare():\n    f()\ndef test_x():\n    prepare()\n"),
    ("test_reasons", TEST, "import pytest\n@pytest.mark.skip\ndef test_x(): assert f()\n"),
    ("test_reasons", TEST, "import pytest\n@pytest.mark.xfail()\ndef test_x(): assert f()\n"),
    ("test_reasons", TEST, "import pytest\npytest.skip('')\n"),
]

# What looks like a breach and is none.
GOOD = [
    ("prints", "src/holdfact/cli/output.py", "print('x')\n"),
    ("clock", "src/holdfact/core/clock.py", "import time\ntime.time()\n"),
    ("encodings", SRC, "open('x', 'rb')\nopen('x', encoding='utf-8')\n"),
    ("writes", "src/holdfact/core/files.py", "import os\nos.replace('a', 'b')\n"),
    ("writes", SRC, "import os\nos.open('x', os.O_RDONLY)\nopen('x', 'rb')\n"),
    ("writes", SRC, "import os\nos.open(os.devnull, os.O_RDWR)\n"),
    ("writes", SRC, "from holdfact.core import files\nfiles.write_atomic('x', b'')\n"),
    ("imports", TEST, "import pathlib\n"),
    ("silenced", SRC, "x = 1  # noqa: E501 - a table\ny = 'noqa'\n"),
    ("test_can_fail", TEST, "def equal():\n    assert f()\ndef test_x():\n    equal()\n"),
    ("test_can_fail", TEST, "import pytest\ndef test_x():\n    with pytest.raises(E): f()\n"),
    ("test_can_fail", "tests/conftest.py", "def test_data():\n    return 1\n"),
    ("test_reasons", TEST, "import pytest\n@pytest.mark.skip(reason='no flock')\ndef f(): ...\n"),
]


def findings(rule: str, path: str, text: str) -> list[tuple[int, str]]:
    chosen = next(each for each in RULES if each.__name__ == rule)
    return list(chosen(parse(path, text)))


@pytest.mark.parametrize(("rule", "path", "text"), BAD)
def test_each_rule_can_fail(rule: str, path: str, text: str) -> None:
    assert findings(rule, path, text) != []


@pytest.mark.parametrize(("rule", "path", "text"), GOOD)
def test_each_rule_lets_pass_what_it_should(rule: str, path: str, text: str) -> None:
    assert [] == findings(rule, path, text)


def test_every_rule_is_fed_something_bad() -> None:
    assert {rule.__name__ for rule in RULES} == {rule for rule, _, _ in BAD}


def test_every_file_is_tidy() -> None:
    problems = [
        str(problem)
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for problem in check(
            parse(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        )
    ]
    assert problems == [], "\n".join(problems)


def committed() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name]


def test_no_file_names_a_package_index() -> None:
    # Put together here, so that this file does not name them itself.
    hosts = [f"{name}.org".encode() for name in ("py" + "pi", "python" + "hosted", "npm" + "js")]
    named = [
        path.relative_to(ROOT).as_posix()
        for path in committed()
        if path.is_file() and any(host in path.read_bytes() for host in hosts)
    ]
    assert named == []
