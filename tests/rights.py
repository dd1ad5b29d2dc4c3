"""Running a part of a test as somebody whom permissions bind: they do not bind root."""

from __future__ import annotations

import ctypes
import os
import struct
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_CAPABILITIES_V3 = 0x20080522  # the version of Linux's capset(2) with two words a set
_NO_CAPABILITIES = bytes(24)


def bound_by_permissions(part: Callable[[], None]) -> None:
    """Run `part` in a process without root's rights; its failure is the test's."""
    out, into = os.pipe()
    pid = os.fork()
    if not pid:  # pragma: no cover - the child
        status = 1
        try:
            _drop_rights()
            part()
            status = 0
        except BaseException:  # noqa: BLE001 - told by the parent
            os.write(into, traceback.format_exc().encode()[-60_000:])
        finally:
            os._exit(status)
    os.close(into)
    with open(out, "rb") as told:
        reason = told.read().decode()
    assert os.waitpid(pid, 0)[1] == 0, reason


def _drop_rights() -> None:  # pragma: no cover - in the child
    if os.geteuid():
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capset(struct.pack("Ii", _CAPABILITIES_V3, 0), _NO_CAPABILITIES):
        raise OSError(ctypes.get_errno(), "capset")
