"""The only place that prints. Standard output is data, standard error is talk.

An answer has three forms: JSON (one object), plain (fields separated by tabs, stable) and human.
It is kept until the command is done, so a command that fails leaves standard output empty.
"""

from __future__ import annotations

import os
import sys

from holdfact.cli import escape
from holdfact.core import clock
from holdfact.core.errors import FileUnwritable
from holdfact.core.record import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, BinaryIO

    from holdfact.core.errors import HoldfactError

__all__ = ["HUMAN", "JSON", "PLAIN", "SCHEMA", "Output", "Progress", "Streams"]

SCHEMA = 1
HUMAN = "human"
PLAIN = "plain"
JSON = "json"
_BOLD = "\x1b[1m"
_DIM = "\x1b[2m"
_RESET = "\x1b[0m"
_MARK = "**"
_BAR_CELLS = 24
_COLUMNS = 80  # of a terminal that does not say
_BAR_EVERY_S = 0.1


class Streams(NamedTuple):
    """Where a process reads and writes; None for a stream that is closed."""

    stdin: BinaryIO | None
    stdout: BinaryIO | None
    stderr: BinaryIO | None

    @classmethod
    def of_process(cls) -> Streams:
        """Those of this process."""
        return cls(*(getattr(one, "buffer", None) for one in (sys.stdin, sys.stdout, sys.stderr)))


class Output:
    """What one command prints.

    Args:
        streams: where to.
        form: `human`, `plain` or `json`.
        is_quiet: say nothing on standard error while all goes well.
        color: `auto`, `always` or `never`.
        environ: `NO_COLOR` and `TERM` are looked at.
    """

    def __init__(
        self,
        streams: Streams,
        *,
        form: str = HUMAN,
        is_quiet: bool = False,
        color: str = "auto",
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self.form = form
        self.is_quiet = is_quiet
        self._streams = streams
        self._pieces: list[bytes] = []
        self._afterwords: list[str] = []
        self._plan: Mapping[str, Any] | None = None
        self._is_styled = color == "always" or (
            color == "auto" and _is_terminal(streams.stdout) and _may_style(environ)
        )

    # Data.

    def answer(
        self,
        data: Mapping[str, Any],
        *,
        plain: Callable[[], Iterable[Sequence[object]]],
        human: Callable[[], Iterable[str]],
    ) -> None:
        """Keep a command's answer in the form that was asked for.

        Args:
            data: the JSON object, without its schema number.
            plain: the rows of `--plain`.
            human: the lines for a person, already safe for a terminal.
        """
        if self.form == JSON:
            self._pieces.append(_json({"schema": SCHEMA, **data}))
        elif self.form == PLAIN:
            for row in plain():
                self._text("\t".join(escape.field(_plain(value)) for value in row))
        else:
            for text in human():
                self._text(text)

    def plan(
        self,
        data: Mapping[str, Any],
        *,
        plain: Iterable[Sequence[object]],
        human: Iterable[str],
    ) -> None:
        """Keep a plan: unlike an answer it is printed even when the command then refuses."""
        if self.form == JSON:
            self._plan = data
        else:
            self.answer(data, plain=lambda: plain, human=lambda: human)
            self._plan = {}

    def raw(self, text: str) -> None:
        """Keep text that is data in itself: a script, the block for a prompt."""
        self._pieces.append(text.encode("utf-8", "replace"))

    def fail(self, err: HoldfactError) -> None:
        """Report an error. What was kept is dropped, except a plan."""
        self._afterwords.clear()
        if self._plan is None:
            self._pieces.clear()
        if self.form == JSON:
            from holdfact.ops.answers import error_fields

            data = {"schema": SCHEMA, **(self._plan or {}), "error": error_fields(err)}
            self._pieces = [_json(data)]
            return
        self._talk(f"holdfact: {escape.line(err.message)}")
        if err.hint:
            self._talk(f"hint: {escape.line(err.hint)}")

    def flush(self) -> None:
        """Write what was kept.

        Raises:
            BrokenPipeError: the reader went away.
            FileUnwritable: standard output refuses (full disk, closed).
        """
        self._write_answer()
        texts, self._afterwords = self._afterwords, []
        for text in texts:
            self.note(text)

    def _write_answer(self) -> None:
        data, self._pieces = b"".join(self._pieces), []
        if not data:
            return
        if self._streams.stdout is None:
            raise FileUnwritable("can't write the answer: standard output is closed")
        try:
            self._streams.stdout.write(data)
            self._streams.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as err:
            raise FileUnwritable(
                f"can't write the answer to standard output: {err.strerror or err}",
                hint="free some disk space, or send the answer somewhere else",
            ) from err

    # Talk.

    def note(self, message: str) -> None:
        """Say something that is not data; `-q` keeps it back."""
        if not self.is_quiet:
            self._talk(escape.line(message))

    def afterword(self, message: str) -> None:
        """Like `note`, but said behind the answer, and not when there is an error."""
        self._afterwords.append(message)

    def progress(self, label: str) -> Progress:
        """A bar for long work; only on a terminal, and not with `-q`."""
        is_shown = not self.is_quiet and self.form != JSON and _is_terminal(self._streams.stderr)
        return Progress(self._streams.stderr if is_shown else None, label)

    @property
    def can_ask(self) -> bool:
        """Whether a person reads standard error and answers on standard input."""
        return _is_terminal(self._streams.stdin) and _is_terminal(self._streams.stderr)

    def ask(self, question: str) -> bool:
        """Ask a person yes or no; anything but yes is no."""
        self._write_error(f"{escape.line(question)} [y/N] ")
        reply = self._streams.stdin.readline() if self._streams.stdin else b""
        return reply.strip().lower() in {b"y", b"yes"}

    # Style.

    def strong(self, text: str) -> str:
        """Bold, where the terminal can."""
        return f"{_BOLD}{text}{_RESET}" if self._is_styled else text

    def marked(self, text: str, matches: Iterable[tuple[int, int]]) -> str:
        """A text made safe, its matches bold; between `**` where the terminal can't.

        Args:
            text: as it was found.
            matches: ranges (start, end) of its code points, ascending.
        """
        before, after = (_BOLD, _RESET) if self._is_styled else (_MARK, _MARK)
        pieces, at = [], 0
        for start, end in matches:
            pieces += [escape.line(text[at:start]), before, escape.line(text[start:end]), after]
            at = end
        return "".join([*pieces, escape.line(text[at:])])

    def faint(self, text: str) -> str:
        """Dim, where the terminal can."""
        return f"{_DIM}{text}{_RESET}" if self._is_styled else text

    @property
    def is_json(self) -> bool:
        """Whether the answer is JSON."""
        return self.form == JSON

    @property
    def is_human(self) -> bool:
        """Whether the answer is for a person."""
        return self.form == HUMAN

    def _text(self, text: str) -> None:
        self._pieces.append(text.encode("utf-8", "replace") + b"\n")

    def _talk(self, text: str) -> None:
        self._write_error(text + "\n")

    def _write_error(self, text: str) -> None:
        _write_talk(self._streams.stderr, text)


class Progress:
    """A bar on a terminal; nothing where there is none.

    Args:
        stream: the terminal, or None.
        label: what is being done.
    """

    def __init__(self, stream: BinaryIO | None, label: str) -> None:
        self._stream = stream
        self._label = label
        self._drawn_at_s = 0.0
        self._width = 0

    def __call__(self, done: int, total: int, unit: str = "") -> None:
        """Show that `done` of `total` units are done."""
        if self._stream is None:
            return
        at_s = clock.monotonic()
        if done < total and at_s - self._drawn_at_s < _BAR_EVERY_S:
            return
        self._drawn_at_s = at_s
        cells = _BAR_CELLS * done // max(total, 1)
        text = f"{self._label} [{'#' * cells}{'.' * (_BAR_CELLS - cells)}] {done}/{total} {unit}"
        self._draw(text)

    def close(self) -> None:
        """Take the bar away."""
        if self._width:
            self._draw("")
            _write_talk(self._stream, "\r")
            self._width = 0

    def _draw(self, text: str) -> None:
        text = text[: _columns(self._stream) - 1]  # a line that wraps could not be drawn over
        _write_talk(self._stream, "\r" + text.ljust(self._width))
        self._width = len(text)


def _columns(stream: BinaryIO | None) -> int:
    try:
        # A terminal that does not know its width says 0.
        return (os.get_terminal_size(stream.fileno()).columns if stream else 0) or _COLUMNS
    except (OSError, ValueError):
        return _COLUMNS


def _write_talk(stream: BinaryIO | None, text: str) -> None:
    if stream is None:
        return
    try:
        stream.write(text.encode("utf-8", "replace"))
        stream.flush()
    except OSError:
        return  # nobody listens; the exit code still tells


def _json(data: Mapping[str, Any]) -> bytes:
    from holdfact.cli.json_text import to_json

    return escape.json_text(to_json(data)).encode("utf-8") + b"\n"


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _is_terminal(stream: BinaryIO | None) -> bool:
    return stream is not None and stream.isatty()


def _may_style(environ: Mapping[str, str]) -> bool:
    return not environ.get("NO_COLOR") and environ.get("TERM", "dumb") != "dumb"
