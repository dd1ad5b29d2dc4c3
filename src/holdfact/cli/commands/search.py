"""`holdfact search`: a literal text or a pattern in the facts."""

from __future__ import annotations

from holdfact.cli import escape
from holdfact.cli.command import EMPTY, FACT_CODES, Command, found_code, query_text
from holdfact.core.limits import DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT
from holdfact.core.words import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from holdfact.cli.output import Output
    from holdfact.cli.session import Session
    from holdfact.facts.search import SearchResult
    from holdfact.ops.search import DocumentSearch

__all__ = ["COMMAND"]


def _configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("query", metavar="QUERY", help="the text to find, in any case; - reads it from stdin")
    add("--regex", action="store_true", help="QUERY is an RE2 pattern, case-sensitive")
    add("--documents", action="store_true", help="search the project's documents too")
    add(
        "--limit",
        metavar="N",
        type=int,
        default=DEFAULT_SEARCH_LIMIT,
        help=f"hits to show; more than {MAX_SEARCH_LIMIT} means {MAX_SEARCH_LIMIT}"
        f" (default: {DEFAULT_SEARCH_LIMIT})",
    )
    add("--offset", metavar="N", type=int, default=0, help="hits to pass over (default: 0)")


def _run(args: argparse.Namespace, session: Session) -> int:
    from holdfact.facts.search import SearchResult
    from holdfact.ops.answers import skipped_fields

    query = query_text(args.query, session)
    memory = session.memory()
    options = {"regex": args.regex, "limit": args.limit, "offset": args.offset}
    result = (memory.search_documents if args.documents else memory.search)(query, **options)
    hits = [{"id": h.id, "field": h.field, "snippet": h.snippet} for h in result.hits]
    data = {"total": result.total, "offset": result.offset, "limit": result.limit, "hits": hits}
    if not isinstance(result, SearchResult):
        data["skipped"] = skipped_fields(result.skipped)
        data["ignore_known"] = result.ignore_known
        _tell_skipped(session.out, len(result.skipped))
    session.out.answer(
        data,
        plain=lambda: [(h.id, h.field, h.snippet) for h in result.hits],
        human=lambda: _human(session.out, result),
    )
    return found_code(args, result.total)


def _tell_skipped(out: Output, skipped: int) -> None:
    if skipped:
        out.note(f"holdfact: {counted(skipped, 'file')} not searched; --json names them")


def _human(out: Output, result: SearchResult | DocumentSearch) -> Iterator[str]:
    for hit in result.hits:
        yield f"{out.strong(escape.line(hit.id))}  {out.faint(hit.field)}"
        yield f"  {escape.line(hit.snippet)}"
    shown = len(result.hits)
    if not result.total:
        yield "nothing found"
    elif shown < result.total:
        yield f"{shown} of {result.total}; --offset shows the next ones"


COMMAND = Command(
    description="Search the names, descriptions and bodies of the facts for a literal text, or with"
    " --regex for an RE2 pattern. One hit a fact. With --documents the project's documents too, as"
    " they are on disk now; `recall` searches both by words, and ranks.",
    examples=(
        ("holdfact search port", "a text, in any case"),
        ("holdfact search --documents 'max_connections ='", "in facts and documents"),
        ("holdfact search --regex 'CI|deploy'", "a pattern (needs the extra holdfact[regex])"),
    ),
    exit_status=(
        (2, "the command line or the pattern is wrong"),
        EMPTY,
        *FACT_CODES,
    ),
    configure=_configure,
    run=_run,
)
