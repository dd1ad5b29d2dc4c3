"""`holdfact config trust`: allow what the project's files ask for."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import CONFIG_CODES, UNWRITABLE, Command
from holdfact.cli.settings import plain_value, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.session import Session
    from holdfact.core.trust import Description

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--revoke", action="store_true", help="trust the project no longer; needs no --yes"
    )


def _run(args: argparse.Namespace, session: Session) -> int:
    from holdfact.core import config, places, trust

    root = session.root()
    home = places.home_folder(session.environ)
    if args.revoke:
        trust.distrust(root, home)
        about = trust.describe(root, home)
    else:
        about = trust.describe(root, home)
        # What could not be obeyed is refused now: once trusted it would stop every command.
        config.load(root, environ=session.environ, trusts_project=True)
        if not about.is_trusted:
            session.confirm(
                _fields(about, is_applied=False),
                plain=_rows(about),
                human=_lines(about),
                question=f"Trust {about.root}?",
            )
            trust.trust(root, home, sha256=about.sha256)
            about = about._replace(is_trusted=True)
    session.out.answer(
        _fields(about, is_applied=True),
        plain=lambda: _rows(about),
        human=lambda: _done(about),
    )
    return 0


def _fields(about: Description, *, is_applied: bool) -> dict[str, object]:
    return {
        "root": about.root,
        "file": about.file,
        "sha256": about.sha256,
        "trusted": about.is_trusted,
        "settings": [{"key": key, "value": plain_value(value)} for key, value in about.settings],
        "facts_folder": about.facts_folder,
        "applied": is_applied,
    }


def _rows(about: Description) -> Iterator[tuple[str, str]]:
    yield "trusted", "true" if about.is_trusted else "false"
    for key, value in about.settings:
        yield key, shown(value)
    if about.facts_folder:
        yield "facts_folder", about.facts_folder


def _lines(about: Description) -> Iterator[str]:
    yield escape.line(f"trusting {about.root} would allow:")
    for key, value in about.settings:
        yield escape.line(f"  the setting {key} = {shown(value)}")
    if about.facts_folder:
        yield escape.line(f"  the facts in {about.facts_folder} to reach prompts")
    if not about.settings and not about.facts_folder:
        yield "  nothing: the project's files ask for nothing that needs trust"


def _done(about: Description) -> Iterator[str]:
    yield escape.line(f"{about.root} is {'trusted' if about.is_trusted else 'not trusted'}")


COMMAND = Command(
    description="Trust the project as it stands: its settings that need trust are obeyed, and facts"
    " inside the repository reach prompts. It shows what that would allow; with --yes, or asked on"
    " a terminal, it records the trust in your own state, by path and by the content of"
    " holdfact.toml. When that file changes, the trust ends."
    " A file with a setting that can't be obeyed is refused.",
    examples=(
        ("holdfact config trust", "show what would be allowed"),
        ("holdfact config trust --yes", "allow it"),
        ("holdfact config trust --revoke", "take it back"),
    ),
    exit_status=(
        (2, "the command line is wrong, or --yes is missing"),
        *CONFIG_CODES,
        UNWRITABLE,
    ),
    configure=_configure,
    run=_run,
)
