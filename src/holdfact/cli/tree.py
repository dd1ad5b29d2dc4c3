"""The whole tree of parsers. The program itself never builds it: one command needs one parser."""

from __future__ import annotations

from holdfact.cli.parser import Parser, add_all_common
from holdfact.cli.verbs import HIDDEN, VERBS, children, load_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

__all__ = ["build_parser"]


def build_parser() -> argparse.ArgumentParser:
    """Every command that people type, with all its arguments and options."""
    parser = Parser("holdfact", description="Memory for AI agents.")
    parser.add_argument("--version", action="store_true", help="show the version and stop")
    add_all_common(parser)
    _add(parser, "")
    return parser


def _add(parser: argparse.ArgumentParser, group: str) -> None:
    verbs = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    for name, verb in children(group).items():
        full = f"{group} {name}" if group else name
        if verb.heading == HIDDEN:
            continue
        if not verb.module:
            own = verbs.add_parser(
                name, prog=f"holdfact {full}", help=verb.summary, description=f"{verb.summary}."
            )
            _add(own, full)
            continue
        command = load_command(VERBS[full])
        own = verbs.add_parser(name, prog=f"holdfact {full}", help=verb.summary, command=command)
        command.configure(own)
        add_all_common(own)
