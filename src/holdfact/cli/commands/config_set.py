"""`holdfact config set`: change a setting in a file."""

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
    add("value", metavar="VALUE", help="the new value; the members of a list joined by commas")
    add("--project", action="store_true", help="write the project's holdfact.toml, not yours")


def _run(args: argparse.Namespace, session: Session) -> int:
    from holdfact.core.config_edit import set_value

    config = session.config(needs_root=args.project)
    path = set_value(config, args.key, args.value, project=args.project)
    session.out.answer(
        {"key": args.key, "file": path},
        plain=lambda: [(args.key, path)],
        human=lambda: [escape.line(f"set {args.key} in {path}")],
    )
    return 0


COMMAND = Command(
    description="Change one setting in your configuration file, or with --project in the project's."
    " The rest of the file, comments too, stays as it is.",
    examples=(
        ("holdfact config set recall.k 12", "for you, everywhere"),
        ("holdfact config set --project engine.exclude 'vendor/**,dist/**'", "for this project"),
    ),
    exit_status=(*CONFIG_CODES, UNWRITABLE),
    configure=_configure,
    run=_run,
)
