"""`holdfact context`: the prompt index for an agent's session."""

from __future__ import annotations

from holdfact.cli.command import EMPTY, FACT_CODES, Command, found_code
from holdfact.core.words import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from holdfact.cli.session import Session

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--no-tool",
        action="store_true",
        help="for an agent that can't run holdfact: name the files instead of `holdfact read`",
    )


def _run(args: argparse.Namespace, session: Session) -> int:
    context = session.memory().context(has_tool=not args.no_tool)
    out, index = session.out, context.prompt_index
    if out.is_json:
        data = {
            "text": context.text,
            **index._asdict(),
            "dropped_ids": list(context.dropped_ids),
            "digest": context.digest,
        }
        out.answer(data, plain=list, human=list)
    else:
        out.raw(context.text)
    if context.unreadable:
        files = counted(context.unreadable, "file")
        out.afterword(f"holdfact: {files} could not be read as a fact; holdfact list shows why")
    return found_code(args, index.facts)


COMMAND = Command(
    description="Print the block that tells an agent what is known: a heading, one sentence and a"
    " line for each fact, within a budget of bytes; nothing when there are no facts. Made for the"
    " start of a session, so it is quick. Facts inside a repository that is not trusted are only"
    " counted (see `holdfact config trust`). Files that can't be read as facts are counted on"
    " standard error. `/` and the home folder are no projects: there it gives the global facts.",
    examples=(
        ("holdfact context", "for an agent that can run commands"),
        ("holdfact context --no-tool", "for an agent that can only read files"),
    ),
    exit_status=(EMPTY, *FACT_CODES),
    configure=_configure,
    run=_run,
)
