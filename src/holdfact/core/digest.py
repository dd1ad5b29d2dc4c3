"""Content digests: SHA-256 everywhere, so a digest means the same in every file and answer."""

from __future__ import annotations

import os
import sys

__all__ = ["KEY_HEX_DIGITS", "path_key", "sha256_hex"]

KEY_HEX_DIGITS = 16
# OpenSSL hashes large inputs faster, but loading it costs more than a whole fact lookup.
_OPENSSL_FROM_BYTES = 65_536


def sha256_hex(data: bytes) -> str:
    """The SHA-256 of `data` as 64 lower-case hex digits."""
    if len(data) < _OPENSSL_FROM_BYTES and "hashlib" not in sys.modules:
        return str(_small(data).hexdigest())
    import hashlib

    return hashlib.sha256(data).hexdigest()


def path_key(path: str) -> str:
    """The first 16 hex digits of the SHA-256 of a path: the name of what belongs to it.

    The bytes are those that the system has for the path, whatever the locale says they mean.
    """
    return sha256_hex(os.fsencode(path))[:KEY_HEX_DIGITS]


def _small(data: bytes):  # type: ignore[no-untyped-def]  # noqa: ANN202 - a private C type
    try:
        from _sha2 import sha256  # Python ≥ 3.12
    except ImportError:
        try:
            from _sha256 import sha256  # Python 3.11
        except ImportError:
            from hashlib import sha256  # an interpreter built without them
    return sha256(data)
