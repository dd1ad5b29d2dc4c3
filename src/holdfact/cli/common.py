"""The options that every command takes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["add_common"]


def add_common(parser: Any, *, help_action: object) -> Any:  # noqa: ANN401 - of argparse, or alike
    """Add the options that every command takes; returns their group."""
    common = parser.add_argument_group("Options of every command")
    add = common.add_argument
    add("-C", dest="folder", metavar="DIR", help="act as if started in DIR")
    add("--json", action="store_true", help="print one JSON object")
    add("--plain", action="store_true", help="print fields separated by tabs, for scripts")
    add("-q", "--quiet", action="store_true", help="say nothing on standard error when all is well")
    add("--yes", action="store_true", help="apply the plan of a command that changes something")
    add("--fail-empty", action="store_true", help="exit with 4 when nothing is found")
    add("--no-input", action="store_true", help="never ask, also on a terminal")
    add(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="mark matches: auto (a terminal without NO_COLOR and TERM=dumb), always, never",
    )
    add("--moa-home", metavar="DIR", help="keep facts in DIR, shared with moa ([facts] root)")
    add("--state", metavar="DIR", help="keep this project's search index in DIR")
    add("-h", "--help", action=help_action)
    return common
