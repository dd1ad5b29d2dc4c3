"""Running one command of the user's own configuration: no shell, a time limit, output discarded."""

from __future__ import annotations

import os
import signal

from holdfact.core.limits import REVIEW_COMMAND_TIMEOUT_S

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["run_command"]


def run_command(
    argv: Sequence[str], folder: str, *, timeout_s: float = REVIEW_COMMAND_TIMEOUT_S
) -> int | str:
    """Run a program in `folder` and wait for it.

    Returns:
        Its exit status, or a sentence that says why there is none.
    """
    import subprocess

    if isinstance(argv, str) or not argv:
        return "it is not a list of a program and its arguments"
    try:
        process = subprocess.Popen(  # noqa: S603 - the user's own configuration, never a shell
            list(argv),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as err:
        return f"it can't be started: {err}"
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        return f"it took longer than {timeout_s:g} s"
    finally:
        if process.returncode is None:  # not reaped, so the number still is this group's
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
