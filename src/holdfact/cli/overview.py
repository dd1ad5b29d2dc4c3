"""The help of the program itself and of its groups: examples, then verbs under their headings."""

from __future__ import annotations

from holdfact.cli.verbs import HEADINGS, VERBS, children

__all__ = ["overview"]

_EXAMPLES = """\
Examples:
  # what do the facts and documents of this project say about it?
  holdfact recall "how do we deploy"
  # note something that stays true
  holdfact remember ci-port --scope project --durable --description "CI uses port 3306"
  # give an agent's session what is known
  holdfact context"""
_OPTIONS = """\
Options of every command (before or after its name):
  -C DIR          act as if started in DIR
  --json          print one JSON object
  --plain         print fields separated by tabs, for scripts
  -q, --quiet     say nothing on standard error when all is well
  --yes           apply the plan of a command that changes something
  --fail-empty    exit with 4 when nothing is found
  --no-input      never ask, also on a terminal
  --color WHEN    mark matches: auto, always, never
  --moa-home DIR  keep facts in DIR, shared with moa
  --state DIR     keep this project's search index in DIR
  -h, --help      show this help, or that of a command (holdfact help COMMAND)
  --version       show the version"""
_STATUS = """\
EXIT STATUS
  0    done (also: nothing found)
  1    internal fault
  2    the command line is wrong, or --yes is missing
  130  stopped with Ctrl-C
  Each command's help lists its own; a script takes an unknown code as failure."""


def overview(group: str = "") -> str:
    """The help text of the program (an empty name) or of a group."""
    if group:
        rows = [_row(f"{group} {name}", verb.summary) for name, verb in children(group).items()]
        head = f"holdfact {group}: {VERBS[group].summary}"
        return "\n".join([head, "", f"Usage: holdfact {group} COMMAND [options]", "", *rows, ""])
    parts = ["holdfact: memory for AI agents that you can commit, verify and operate", _EXAMPLES]
    parts.append("Usage: holdfact COMMAND [options]")
    for heading in HEADINGS:
        rows = [_row(n, v.summary) for n, v in children("").items() if v.heading == heading]
        parts.append("\n".join([f"{heading}:", *rows]))
    return "\n\n".join([*parts, _OPTIONS, _STATUS]) + "\n"


def _row(name: str, summary: str) -> str:
    return f"  {name:<15} {summary}"
