"""`holdfact config show`: every setting and where it comes from."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import CONFIG_CODES, Command
from holdfact.cli.settings import shown, value_fields
from holdfact.core.config import DEFAULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.output import Output
    from holdfact.cli.session import Session
    from holdfact.core.config import Config

__all__ = ["COMMAND"]

UNSET = "(not set)"


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments of its own


def _run(args: argparse.Namespace, session: Session) -> int:
    del args
    from holdfact.core.config import KEYS

    config = session.config()
    settings = [value_fields(config, key.name) for key in KEYS]
    data = {
        "root": config.root,
        "files": {"user": config.user_file, "project": config.project_file},
        "settings": settings,
        "ignored": [
            {"key": one.key, "value": one.value, "reason": one.reason, "command": one.command}
            for one in config.ignored
        ],
        "unknown_variables": config.unknown_variables,
        "trusted": config.is_project_trusted,
    }
    session.out.answer(
        data,
        plain=lambda: [(k.name, shown(config.get(k.name)), config.origin(k.name)) for k in KEYS],
        human=lambda: _human(session.out, config),
    )
    return 0


def _human(out: Output, config: Config) -> Iterator[str]:
    from holdfact.core.config import KEYS

    for key in KEYS:
        origin = config.origin(key.name)
        text = escape.line(f"{key.name} = {shown(config.get(key.name)) or UNSET}")
        yield text if origin == DEFAULT else f"{out.strong(text)}  {out.faint(escape.line(origin))}"
    for one in config.ignored:
        yield escape.line(f"ignored: {one.key} = {shown(one.value)}: {one.reason} ({one.command})")
    for name in config.unknown_variables:
        yield escape.line(f"unknown variable: {name}")


COMMAND = Command(
    description="Show every setting in force, where those that differ from the default come from,"
    " and what is ignored.",
    examples=(("holdfact config show", "all settings"),),
    exit_status=CONFIG_CODES,
    configure=_configure,
    run=_run,
)
