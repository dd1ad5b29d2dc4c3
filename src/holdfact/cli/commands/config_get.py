"""`holdfact config get`: one setting."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import CONFIG_CODES, Command
from holdfact.cli.settings import shown, value_fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from holdfact.cli.session import Session

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="section.key, as `holdfact config keys` lists")


def _run(args: argparse.Namespace, session: Session) -> int:
    config = session.config()
    value = config.get(args.key)
    session.out.answer(
        value_fields(config, args.key),
        plain=lambda: [(args.key, shown(value), config.origin(args.key))],
        human=lambda: [escape.line(shown(value))],
    )
    return 0


COMMAND = Command(
    description="Show the value of one setting in force.",
    examples=(("holdfact config get recall.k", "how many hits recall shows"),),
    exit_status=CONFIG_CODES,
    configure=_configure,
    run=_run,
)
