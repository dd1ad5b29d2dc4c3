"""Run the code of a document as its reader would: one folder, one shell, top to bottom.

A `console` block holds commands after `$ ` (continued on lines after `> `), each followed by
the output it must print; `...` stands for any text, and no shown output compares nothing. Every
command must succeed, or end with the code that `<!-- exit: N -->` above the block names. A
`python` block is a script that must end without an error. Other blocks (`sh`, `toml`) are not run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

__all__ = ["Example", "Shell", "examples", "matches"]

TIMEOUT_S = 120
_BLOCK = re.compile(
    r"(?:^ *<!-- exit: (?P<exit>\d+) -->\n+)?^(?P<indent> *)```(?P<kind>console|python)\n"
    r"(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


class Example(NamedTuple):
    """One command or script, with the line of the document that it stands on."""

    line: int
    kind: str
    code: str
    output: str
    exit_code: int

    def shows(self, output: str) -> bool:
        """Is `output` what the document shows, as far as it shows any?"""
        return not self.output.strip() or matches(self.output, output)


def examples(text: str) -> list[Example]:
    """What is to be run of a Markdown text, in order.

    Raises:
        ValueError: a console block begins with something else than a command.
    """
    found: list[Example] = []
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start("code")) + 1
        code = re.sub(f"(?m)^{block['indent']}", "", block["code"])
        exit_code = int(block["exit"] or 0)
        if block["kind"] == "python":
            found.append(Example(line, "python", code, "", exit_code))
        else:
            found += _commands(line, code, exit_code)
    return found


def _commands(first_line: int, code: str, exit_code: int) -> list[Example]:
    found: list[Example] = []
    for line, text in enumerate(code.splitlines(keepends=True), start=first_line):
        if text.startswith("$ "):
            found.append(Example(line, "console", text[2:], "", exit_code))
        elif not found:
            message = f"line {line}: a console block begins with `$ `"
            raise ValueError(message)
        elif text.startswith("> ") and not found[-1].output:
            found[-1] = found[-1]._replace(code=found[-1].code + text[2:])
        else:
            found[-1] = found[-1]._replace(output=found[-1].output + text)
    return found


def matches(expected: str, actual: str) -> bool:
    """Is `actual` what is shown? Empty lines at the end and spaces at line ends don't count."""
    pattern = ".*".join(re.escape(part) for part in _trimmed(expected).split("..."))
    return re.fullmatch(pattern, _trimmed(actual), re.DOTALL) is not None


def _trimmed(text: str) -> str:
    return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).strip("\n")


class Shell:
    """An empty folder and a home of its own; `cd` and files last from one example to the next."""

    def __init__(self, folder: Path) -> None:
        self._cwd = folder / "work"
        self._pwd = folder / "pwd"
        home = folder / "home"
        for each in (self._cwd, home, folder / "bin"):
            each.mkdir()
        scripts = Path(sys.executable).parent
        if not (scripts / "holdfact").exists():  # not installed: the sources are tested
            _write_command(folder / "bin" / "holdfact")
        path = [str(folder / "bin"), str(scripts), os.environ["PATH"]]
        self._environment = {
            "PATH": os.pathsep.join(path),
            "HOME": str(home),
            "HOLDFACT_HOME": str(home / "holdfact"),
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
        }

    def run(self, example: Example) -> tuple[int, str]:
        """The exit code and everything that was printed, standard error included."""
        if example.kind == "python":
            arguments = [sys.executable, "-c", example.code]
        else:
            keep = f"trap 'pwd >\"{self._pwd}\"' EXIT\n"
            arguments = ["sh", "-c", keep + example.code]
        done = subprocess.run(
            arguments,
            cwd=self._cwd,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT_S,
            check=False,
        )
        if self._pwd.exists():
            self._cwd = Path(self._pwd.read_text(encoding="utf-8").removesuffix("\n"))
        return done.returncode, done.stdout.decode("utf-8", "replace")


def _write_command(path: Path) -> None:
    spec = find_spec("holdfact")
    source = str(Path(str(spec.origin if spec else "")).parents[1])
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {source!r})\n"
        "from holdfact.cli.main import run\nsys.exit(run())\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
