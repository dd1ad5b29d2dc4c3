"""`holdfact config unset`: remove a setting from a file."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import CONFIG_CODES, UNWRITABLE, Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from holdfact.cli.session import Session

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("key", metavar="KEY", help="section.key, as `holdfact config keys` lists")
    add("--project", action="store_true", help="change the project's holdfact.toml, not yours")


def _run(args: argparse.Namespace, session: Session) -> int:
    from holdfact.core.config_edit import unset_value

    config = session.config(needs_root=args.project)
    done = unset_value(config, args.key, project=args.project)
    told = f"unset {args.key} in" if done.was_set else f"{args.key} was not set in"
    session.out.answer(
        {"key": args.key, "file": done.file, "was_set": done.was_set},
        plain=lambda: [(args.key, done.file, done.was_set)],
        human=lambda: [escape.line(f"{told} {done.file}")],
    )
    return 0


COMMAND = Command(
    description="Remove one setting from your configuration file, or with --project from the"
    " project's, so that the next place or the default decides.",
    examples=(("holdfact config unset recall.k", "back to the default"),),
    exit_status=(*CONFIG_CODES, UNWRITABLE),
    configure=_configure,
    run=_run,
)
