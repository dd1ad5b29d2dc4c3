"""The program, run inside the test's process on a project and a home of its own."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

from holdfact.cli.output import Streams
from holdfact.cli.program import execute

SCHEMAS = Path(__file__).parents[2] / "schemas"


class Ran(NamedTuple):
    """What one run gave."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as one JSON object."""
        answer: dict[str, Any] = json.loads(self.stdout)
        return answer


class Terminal(io.BytesIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def schema_name(verb: str, answer: dict[str, Any]) -> str:
    """The schema that an answer must have: an error alone has its own."""
    if set(answer) == {"schema", "error"}:
        return "error"
    return verb.replace(" ", "_")


def check_schema(verb: str, answer: dict[str, Any]) -> None:
    """Raise unless the answer has the shape of its verb's schema."""
    path = SCHEMAS / f"{schema_name(verb, answer)}.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(answer, schema, cls=jsonschema.Draft202012Validator)


class Program:
    """Runs command lines; every JSON answer is checked against its schema.

    Args:
        project: the working folder, given as `-C`.
        home: the user's folders.
    """

    def __init__(self, project: Path, home: Path) -> None:
        self.project = project
        self.home = home
        self.environ = {"HOLDFACT_HOME": str(home), "HOME": str(home), "TERM": "xterm"}

    def __call__(
        self,
        *words: str,
        stdin: bytes | None = b"",
        is_terminal: bool = False,
        environ: dict[str, str] | None = None,
    ) -> Ran:
        """Run `holdfact -C PROJECT WORDS…`."""
        make = Terminal if is_terminal else io.BytesIO
        out, err = make(), make()
        streams = Streams(None if stdin is None else make(stdin), out, err)
        code = execute(
            ["-C", str(self.project), *words],
            streams=streams,
            environ={**self.environ, **(environ or {})},
        )
        ran = Ran(code, out.getvalue().decode("utf-8"), err.getvalue().decode("utf-8"))
        options = words[: words.index("--")] if "--" in words else words
        if "--json" in options:
            check_schema(verb_of(words), ran.json)
        return ran

    def remember(self, name: str = "ci-port", *words: str) -> Ran:
        """Write a durable project fact."""
        described = ("--scope", "project", "--durable", "--description", "CI uses port 3306")
        ran = self("remember", name, *described, *words)
        assert ran.code == 0, ran.stderr
        return ran

    def write(self, path: str, text: str) -> Path:
        """Write a file of the project."""
        place = self.project / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        return place


def verb_of(words: tuple[str, ...]) -> str:
    """The verb of a command line whose common options have no separate values."""
    plain = [word for word in words if not word.startswith("-")]
    is_group = plain[:1] in (["config"], ["engine"])
    return " ".join(plain[: 2 if is_group else 1])


@pytest.fixture
def program(tmp_path: Path) -> Program:
    project = tmp_path / "project"
    project.mkdir()
    return Program(project, tmp_path / "home")
