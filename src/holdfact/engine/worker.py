"""A second process for large builds: reads, chunks and analyses, and answers with pieces.

A fresh interpreter and two pipes, no fork: it works in threaded programs and on every system. A
frame is its length (8 bytes, little endian) and `marshal` bytes; both ends are this program. The
process ends when its input ends, so it never outlives its parent.
"""

from __future__ import annotations

import marshal
import sys

from holdfact.engine.storage.pieces import Piece, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, Any

    from holdfact.engine.identity import Parameters
    from holdfact.engine.plan import Seen

__all__ = ["Worker", "main"]

_LENGTH_BYTES = 8
# Its modules come from where ours do; neither the working folder nor the environment adds any.
_START = "import sys; sys.path[:] = sys.argv[1:]; from holdfact.engine.worker import main; main()"


class Worker:
    """The parent's end.

    Tasks are answered in order. Answers are collected by a thread, so that the process never waits
    for its parent to read.
    """

    def __init__(self, parameters: Parameters, at_ns: int) -> None:
        import queue
        import subprocess
        import threading

        self._process = subprocess.Popen(  # noqa: S603 - this interpreter, fixed code, no shell
            [sys.executable, "-I", "-c", _START, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()
        self._send((tuple(parameters), at_ns))

    def _collect(self) -> None:
        stdout = self._process.stdout
        while stdout is not None and (frame := _read(stdout)) is not None:
            self._answers.put(frame)
        self._answers.put(None)

    def _send(self, value: Any) -> bool:  # noqa: ANN401 - plain values
        try:
            _write(self._process.stdin, marshal.dumps(value, 4))
        except OSError:
            return False  # it died: `receive` says so
        return True

    def give(self, sources: Sequence[Seen]) -> bool:
        """Hand over a task; false when the process is gone."""
        return self._send([tuple(seen) for seen in sources])

    def has_answer(self) -> bool:
        """Whether `receive` would not wait."""
        return not self._answers.empty()

    def receive(self) -> list[Piece] | None:
        """The next task's pieces; None when the process is gone."""
        frame = self._answers.get()
        if frame is None:
            self._answers.put(None)
            return None
        return [decode(data, crc) for data, crc in marshal.loads(frame)]  # noqa: S302 - own process

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._thread.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # unsent input of a process that is gone


def _write(pipe: IO[bytes] | None, data: bytes) -> None:
    if pipe is not None:
        pipe.write(len(data).to_bytes(_LENGTH_BYTES, "little"))
        pipe.write(data)
        pipe.flush()


def _read(pipe: IO[bytes]) -> bytes | None:
    head = pipe.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    size = int.from_bytes(head, "little")
    data = pipe.read(size)
    return data if len(data) == size else None


def main() -> None:
    """Serve tasks from the standard input until it ends."""
    import gc
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    gc.disable()  # nothing here makes cycles worth looking for
    serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(tasks: IO[bytes], answers: IO[bytes]) -> None:
    """Answer each task of a stream with its pieces."""
    import zlib

    from holdfact.engine.analysis import Analysis
    from holdfact.engine.identity import Parameters
    from holdfact.engine.plan import Seen
    from holdfact.engine.reading import make_piece
    from holdfact.text.tokenizer import Analyzer

    first = _read(tasks)
    if first is None:
        return
    plain, at_ns = _loads(first)
    parameters = Parameters(*plain)
    analysis = Analysis(Analyzer(), parameters.chunk_tokens, parameters.chunk_overlap)
    while (frame := _read(tasks)) is not None:
        sources = [Seen(*row) for row in _loads(frame)]
        blocks = [encode(piece) for piece in make_piece(sources, analysis, parameters, at_ns)]
        _write(answers, marshal.dumps([(block, zlib.crc32(block)) for block in blocks], 4))


def _loads(frame: bytes) -> Any:  # noqa: ANN401 - plain values of the two frames above
    return marshal.loads(frame)  # noqa: S302 - from the parent process
