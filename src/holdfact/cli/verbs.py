"""The table of verbs: what exists, under which heading, and which module answers.

Only the module of the verb that was typed is imported, so this table holds the one-line summaries
that the overview shows.
"""

from __future__ import annotations

from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.cli.command import Command

__all__ = [
    "DAILY",
    "HEADINGS",
    "VERBS",
    "WITH_VALUE",
    "Verb",
    "children",
    "load_command",
    "visible",
]

DAILY = "Daily"
OPERATE = "Operate"
CONNECT = "Connect"
HIDDEN = ""
# Options of every command that take the next word as their value.
WITH_VALUE = frozenset({"-C", "--moa-home", "--state", "--color"})
HEADINGS = (DAILY, OPERATE, CONNECT)


class Verb(NamedTuple):
    """One command.

    Attributes:
        module: the module in `holdfact.cli.commands` that defines it as `COMMAND`; empty for a
            group, whose own verbs are named `<group> <verb>`.
        heading: where the overview lists it; empty for one that people do not type.
        summary: one line.
    """

    module: str
    heading: str
    summary: str


VERBS: dict[str, Verb] = {
    "remember": Verb("remember", DAILY, "write one fact"),
    "recall": Verb("recall", DAILY, "search facts and the project's documents together"),
    "read": Verb("read", DAILY, "show one fact"),
    "list": Verb("list", DAILY, "list the facts of this project and the global ones"),
    "forget": Verb("forget", DAILY, "delete one fact"),
    "search": Verb("search", DAILY, "search the facts for a literal text or a pattern"),
    "context": Verb("context", DAILY, "print the prompt index for an agent's session"),
    "review": Verb("review", DAILY, "check the conditions of facts that can expire"),
    "status": Verb("status", DAILY, "tell what is stored, indexed and stale"),
    "engine": Verb("", OPERATE, "bring the search engine up to date, or look at it"),
    "engine sync": Verb("engine_sync", OPERATE, "index what changed since the last time"),
    "engine status": Verb("engine_status", OPERATE, "tell what the search engine holds"),
    "migrate": Verb("migrate", OPERATE, "take over facts from older places"),
    "config": Verb("", OPERATE, "look at the settings and change them"),
    "config show": Verb("config_show", OPERATE, "show every setting and where it comes from"),
    "config get": Verb("config_get", OPERATE, "show one setting"),
    "config set": Verb("config_set", OPERATE, "change a setting"),
    "config unset": Verb("config_unset", OPERATE, "remove a setting, so that its default applies"),
    "config keys": Verb("config_keys", OPERATE, "list every key with its type and default"),
    "config trust": Verb("config_trust", OPERATE, "allow what this project's files ask for"),
    "completion": Verb("completion", CONNECT, "print the completion script of a shell"),
    "complete": Verb("complete", HIDDEN, "answer a shell that completes a command line"),
}


def children(group: str) -> dict[str, Verb]:
    """The verbs of a group by their own names; the top verbs for an empty name."""
    prefix = f"{group} " if group else ""
    return {
        name.removeprefix(prefix): verb
        for name, verb in VERBS.items()
        if name.startswith(prefix) and " " not in name.removeprefix(prefix)
    }


def visible(group: str) -> list[str]:
    """The names of a group's verbs that people type."""
    return [name for name, verb in children(group).items() if verb.heading != HIDDEN]


def load_command(verb: Verb) -> Command:
    """Import the module of a verb and take its definition."""
    # `importlib` would do, but importing it costs more than the module.
    module = __import__(f"holdfact.cli.commands.{verb.module}", fromlist=["COMMAND"])
    command: Command = module.COMMAND
    return command
