"""What a running verb has at hand: its memory, the output, and standard input."""

from __future__ import annotations

import os

from holdfact.core.errors import ConfirmationRequired, HoldfactError, UsageError
from holdfact.core.limits import MAX_INPUT_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping, Sequence

    from holdfact.api import Memory
    from holdfact.cli.output import Output, Streams
    from holdfact.core.config import Config

__all__ = ["Session"]


class Session:
    """One run of one verb.

    Args:
        args: its arguments.
        out: where its answer goes.
        streams: the process's streams.
        environ: the environment.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        out: Output,
        streams: Streams,
        environ: Mapping[str, str],
    ) -> None:
        self.out = out
        self.environ = environ
        self._args = args
        self._streams = streams
        self._memory: Memory | None = None
        self._told: Sequence[str] = ()

    @property
    def folder(self) -> str:
        """The folder that stands for the working directory.

        Raises:
            UsageError: `-C` names none, or the working directory is gone.
        """
        if self._args.folder is None:
            return "."
        folder: str = self._args.folder
        if not os.path.isdir(folder):
            raise UsageError(f"-C {folder!r}: there is no such folder", hint="name a folder")
        return folder

    def root(self) -> str:
        """The root of the project.

        Raises:
            UsageError: there is no such folder, or it is `/` or the home folder.
        """
        from holdfact.core.places import project_root

        return project_root(self.folder, self.environ)

    def config(self, *, needs_root: bool = False) -> Config:
        """The settings in force; outside a project those of the user.

        Args:
            needs_root: refuse when this is no project.
        """
        from holdfact.core.config import load

        try:
            root: str | None = self.root()
        except UsageError:
            if needs_root or self._args.folder is not None:
                raise
            root = None
        moa_home = self._option_path("--moa-home", self._args.moa_home)
        flags = {} if moa_home is None else {"facts.root": moa_home}
        return load(root, flags=flags, environ=self.environ)

    def memory(self, *, migrates: bool = True) -> Memory:
        """The memory of the project.

        Args:
            migrates: take over facts from older places first, once.
        """
        if self._memory is None:
            from holdfact.api import Memory

            self._memory = Memory.open(
                self.folder,
                moa_home=self._option_path("--moa-home", self._args.moa_home),
                state=self._option_path("--state", self._args.state),
                environ=self.environ,
            )
            # Where is no project the verb may refuse for that reason: no need to say it twice.
            tell = self.out.note if self._memory.has_project else self.out.afterword
            self._told = self._memory.notices
            for notice in self._told:
                tell(f"holdfact: {notice}")
            if migrates:
                self._migrate(self._memory)
        return self._memory

    def tell_uncertain(self) -> None:
        """Say that the project's facts may be others than meant; costs nothing of its own."""
        if self._memory is not None and not self._memory.store.is_certain:
            for notice in self._memory.notices:
                if notice not in self._told:
                    self.out.note(f"holdfact: {notice}")

    def confirm(
        self,
        data: Mapping[str, object],
        *,
        plain: Iterable[Sequence[object]],
        human: Iterable[str],
        question: str,
    ) -> None:
        """Go on only when the user wants what the plan says: `--yes`, or asked on a terminal.

        Args:
            data: the plan as JSON.
            plain: its rows.
            human: its lines.
            question: what to ask.

        Raises:
            ConfirmationRequired: there is no `--yes`, and nobody to ask or the answer was no.
        """
        if self._args.yes:
            return
        self.out.plan(data, plain=plain, human=human)
        if self.out.is_human and not self._args.no_input and self.out.can_ask:
            self.out.flush()
            if self.out.ask(question):
                return
            raise ConfirmationRequired("nothing was changed; the answer was not yes", hint="")
        raise ConfirmationRequired("nothing was changed; add --yes to do it", hint="")

    def read_input(self, limit_bytes: int = MAX_INPUT_BYTES) -> str:
        """Standard input as text, surrogates standing for bytes that are not UTF-8.

        Raises:
            UsageError: it is closed, or has more than `limit_bytes`.
        """
        if self._streams.stdin is None:
            raise UsageError("standard input is closed", hint="give the text another way")
        try:
            data = self._streams.stdin.read(limit_bytes + 1)
        except OSError as err:
            raise UsageError(
                f"can't read standard input: {err.strerror}", hint="give the text another way"
            ) from err
        if len(data) > limit_bytes:
            raise UsageError(
                f"standard input has more than {limit_bytes} bytes", hint="give less text"
            )
        return data.decode("utf-8", "surrogateescape")

    def path(self, path: str) -> str:
        """A path from the command line, seen from the folder that `-C` names."""
        return os.path.join(self.folder, path)

    def _option_path(self, option: str, path: str | None) -> str | None:
        if path is None:
            return None
        if not path:  # as from a variable that is not set; it would mean the project's own folder
            raise UsageError(f"{option} names no folder", hint="name a folder")
        try:
            return os.path.abspath(self.path(path))
        except FileNotFoundError as err:
            raise UsageError(
                "the working directory does not exist any more", hint=f"give {option} a whole path"
            ) from err

    def _migrate(self, memory: Memory) -> None:
        try:
            report = memory.migrate_once()
        except HoldfactError as err:
            self.out.note(f"holdfact: older facts were not taken over: {err.message}")
            return
        for notice in report:
            self.out.note(f"holdfact: {notice}")
