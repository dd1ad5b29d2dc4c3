"""The generators of reference pages: everything that exists gets its heading or row."""

from __future__ import annotations

import argparse
from enum import Enum
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from holdfact.core.errors import HoldfactError, error_classes
from tools.pages import commands, configuration, decisions, errors, library, limits, markdown

if TYPE_CHECKING:
    from pathlib import Path


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="tool", description="Does things.")
    made.add_argument("--json", action="store_true", help="one JSON object")
    made.add_argument("--hidden", help=argparse.SUPPRESS)
    verbs = made.add_subparsers()
    find = verbs.add_parser(
        "find", aliases=["f"], help="find a thing", epilog="tool find x  # 100%%"
    )
    find.add_argument("query", nargs="?", metavar="QUERY", help="what to find")
    find.add_argument("-k", "--count", type=int, default=1, help="how many, of a|b")
    find.add_argument("--mode", choices=["lexical", "vector"], required=True)
    find.add_argument("--pair", nargs=2, metavar=("FROM", "TO"), help="of %(prog)s")
    index = verbs.add_parser("index", help="the index").add_subparsers()
    index.add_parser("build", help="build it")
    return made


def test_each_command_has_one_heading() -> None:
    page = commands.render(parser())
    headings = [line for line in page.splitlines() if line.startswith("## ")]
    assert ["## tool", "## tool find", "## tool index", "## tool index build"] == headings


@pytest.mark.parametrize(
    "line",
    [
        "| `--json` | one JSON object |",
        "| `[QUERY]` | what to find |",
        "| `-k COUNT`, `--count COUNT` | how many, of a\\|b (default: 1) |",
        "| `--mode {lexical,vector}` | (required) |",
        "| `--pair FROM TO` | of tool find |",
        "tool find x  # 100%",
        "find a thing",
        "Does things.",
    ],
)
def test_the_page_of_commands_holds(line: str) -> None:
    assert line in [
        shown.replace("|  (", "| (") for shown in commands.render(parser()).splitlines()
    ]


def test_a_suppressed_option_is_not_shown() -> None:
    assert "--hidden" not in commands.render(parser())


def test_each_key_has_its_heading_and_its_variable() -> None:
    row = SimpleNamespace(
        type=int,
        places=("environment", "user", "project"),
        needs_trust=True,
        meaning="How many hits.",
        default=8,
        name="recall.k",
    )
    page = configuration.render([row])
    assert all(
        part in page
        for part in (
            *("## [recall]", "### recall.k", "How many hits.", "`HOLDFACT_RECALL_K`", "`int`"),
            *("`8`", "`config.toml` or `holdfact.toml`", "| needs trust | yes |"),
        )
    )


@pytest.mark.parametrize(
    ("default", "shown"),
    [
        (None, "none"),
        (True, "`true`"),
        (["a", "b"], '`["a", "b"]`'),
        ("x", '`"x"`'),
        (0.5, "`0.5`"),
    ],
)
def test_a_default_is_shown_as_it_is_written(default: object, shown: str) -> None:
    row = SimpleNamespace(
        name="a.b", type="text", default=default, meaning="m", places=(), needs_trust=False
    )
    assert f"| default | {shown} |" in configuration.render([row])


def test_each_error_class_has_a_heading_and_its_exit_code() -> None:
    page = errors.render(error_classes())
    missing = [
        cls.__name__
        for cls in error_classes()
        if cls.__module__.startswith("holdfact.")
        and (f"\n## {cls.__name__}\n" not in page or f"\n| {cls.exit_code} | " not in page)
    ]
    assert missing == []


def test_a_class_from_elsewhere_is_not_documented() -> None:
    class Elsewhere(HoldfactError):
        """Made by a test."""

    assert "Elsewhere" not in errors.render([HoldfactError, Elsewhere])


SOURCE = '''"""Docstring."""

FREE = 1

# Facts (the constants). Why these.
MAX_A_BYTES = 16_384
# A reason
# in two lines.
MAX_B_BYTES = 1024 * 1024
NAMES: tuple[str, ...] = ("a", "b")

# Waiting.
WAIT_S = 2.0  # a short one
'''


@pytest.mark.parametrize(
    "part",
    [
        "## Others\n\n| Limit | Value | Why |\n| --- | --- | --- |\n| `FREE` | 1 |  |\n\n",
        "## Facts (the constants)\n\nWhy these.\n\n",
        "| `MAX_A_BYTES` | 16,384 |  |",
        "| `MAX_B_BYTES` | `1024 * 1024` | A reason in two lines. |",
        "| `NAMES` | `('a', 'b')` |  |",
        "## Waiting\n\n",
        "| `WAIT_S` | `2.0` | a short one |",
    ],
)
def test_the_page_of_limits_holds(part: str) -> None:
    assert part in limits.render(SOURCE)


def test_a_table_without_rows_is_nothing() -> None:
    assert markdown.table(("a",), []) == ""


def test_the_index_lists_each_record_by_number(tmp_path: Path) -> None:
    for name, title in [("0002-b.md", "0002: Two"), ("0001-a.md", "0001: One"), ("README.md", "x")]:
        (tmp_path / name).write_text(f"# {title}\n\nText.\n", encoding="utf-8")
    lines = decisions.render(tmp_path).splitlines()
    assert ["- [0001: One](0001-a.md)", "- [0002: Two](0002-b.md)"] == lines[-2:]


class Colour(Enum):
    """What it looks like."""

    RED = "red"


class Thing(NamedTuple):
    """One thing.

    Attributes:
        name: what it is called, when
            it is called anything.
        colour: of it.
    """

    name: str
    colour: Colour = Colour.RED

    @property
    def size(self) -> int:
        """How big."""
        return 1

    @classmethod
    def find(cls, path: str = ".", *, deep: bool = False) -> str:
        """Look for one.

        Raises:
            OSError: it is not there.
        """
        return f"{path}{deep}"


def test_the_library_page_has_each_name_with_its_members() -> None:
    module = ModuleType("module")
    module.__dict__.update(
        __all__=["Colour", "Thing", "__version__"], Colour=Colour, Thing=Thing, __version__="1"
    )
    page = library.render(module)
    headings = [line for line in page.splitlines() if line.startswith("##")]
    assert ["## Colour", "## Thing", "### Thing.size", "### Thing.find()"] == headings
    for text in (
        "- `Colour.RED`: `'red'`",
        "`Thing(name, colour=Colour.RED)`",
        "*Attributes:*\n\n- `name`: what it is called, when\n  it is called anything.\n- `colour`",
        "`Thing.find(path: str = '.', *, deep: bool = False) -> str`",
        "*Raises:*\n\n- `OSError`: it is not there.",
    ):
        assert text in page
