"""`make demo`: the main job on real documents, each command shown before it runs."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from demo.corpus import ARCHIVE, unpack

PROGRAM = Path(sys.executable).with_name("holdfact")
STEPS: dict[str, str] = {
    "Remember three facts: two of this project, one of the person": r"""
remember rfc-numbers --scope project --durable \
  --description 'The file name of an RFC begins with the number of its pull request' \
  --body 'rfcs/text/NNNN-title.md: NNNN is the number of the pull request.'
remember kep-owner --scope project \
  --description 'SIG Node owns the sidecar container enhancement' \
  --invalidate-when 'the owning-sig in its kep.yaml is no longer sig-node'
remember answers-in-english --scope global --durable \
  --description 'Answers are written in English, with the path of their source'
""",
    "What is remembered, and what an agent sees of it at the start": """
list
context
""",
    "Recall from facts and 2,000 documents; the first question builds the index": """
recall -k 3 'why was green threading removed from the runtime'
recall -k 3 'how do I run a script as a background job'
recall -k 3 'pull request number of an RFC'
""",
    "Find words in the facts themselves": "search sidecar",
    "Where everything is, and how it is": "status",
}


def commands(block: str) -> list[str]:
    """The commands of a step, each as a person would type it."""
    return re.split(r"\n(?! )", block.strip())


def run(command: str, project: Path, home: Path) -> int:
    """Show one command, run it, and return its exit code."""
    print(f"\n$ holdfact {command}", flush=True)
    arguments = [str(PROGRAM), "-C", str(project), *shlex.split(command.replace("\\\n", " "))]
    environment = {**os.environ, "HOLDFACT_HOME": str(home)}
    return subprocess.run(
        arguments, env=environment, stdin=subprocess.DEVNULL, check=False
    ).returncode


def main() -> int:
    """The exit code of the first step that failed, else 0."""
    with tempfile.TemporaryDirectory(prefix="holdfact-demo-") as temporary:
        folder = Path(temporary).resolve()
        project, home = folder / "project", folder / "home"
        print(f"Unpacking {ARCHIVE.name} ...", flush=True)
        count = unpack(project)
        print(f"{count:,} Markdown files are in {project}")
        print(f"HOLDFACT_HOME is {home}; each command runs with -C {project}")
        for title, block in STEPS.items():
            print(f"\n== {title}", flush=True)
            for command in commands(block):
                exit_code = run(command, project, home)
                if exit_code:
                    print(f"\nthe demonstration failed: exit code {exit_code}", file=sys.stderr)
                    return exit_code
        shown = sorted(each.relative_to(folder) for each in home.rglob("*") if each.is_file())
        print(f"\n== What holdfact wrote, all of it below {home}")
        for each in shown:
            print(f"  {each} ({(folder / each).stat().st_size:,} bytes)")
    print("\nAll of it was temporary and is deleted again. In your own project: holdfact --help")
    return 0


if __name__ == "__main__":
    sys.exit(main())
