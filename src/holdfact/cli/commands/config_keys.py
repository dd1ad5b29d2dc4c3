"""`holdfact config keys`: every key there is."""

from __future__ import annotations

from holdfact.cli.command import CONFIG_CODES, Command
from holdfact.cli.settings import plain_value, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.output import Output
    from holdfact.cli.session import Session

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments of its own


def _run(args: argparse.Namespace, session: Session) -> int:
    del args
    from holdfact.core.config_keys import KEYS, allowed, variable

    keys = [
        {
            "key": key.name,
            "type": key.type,
            "default": plain_value(key.default),
            "meaning": key.meaning,
            "allowed": allowed(key),
            "places": list(key.places),
            "variable": variable(key) if "environment" in key.places else None,
            "needs_trust": key.needs_trust,
        }
        for key in KEYS
    ]
    session.out.answer(
        {"keys": keys},
        plain=lambda: [(k.name, k.type, shown(k.default), k.meaning) for k in KEYS],
        human=lambda: _human(session.out),
    )
    return 0


def _human(out: Output) -> Iterator[str]:
    from holdfact.core.config_keys import KEYS, allowed

    for key in KEYS:
        default = shown(key.default) if key.default else "not set"
        yield f"{out.strong(key.name)}  {key.meaning}"
        yield out.faint(f"  {allowed(key)}; default: {default}")


COMMAND = Command(
    description="List every key of the configuration: what it means, what it may be, its default.",
    examples=(("holdfact config keys", "all keys"),),
    exit_status=CONFIG_CODES,
    configure=_configure,
    run=_run,
)
