"""Values as JSON, as `json.dumps(…, ensure_ascii=False)` writes them.

Importing `json` brings `re`, `enum` and `functools`: a tenth of a cold `recall --json`. Writing the
few types that answers are made of needs none of it (a property test compares the two).
"""

from __future__ import annotations

__all__ = ["to_json"]

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b"}
_ESCAPES = str.maketrans({chr(code): f"\\u{code:04x}" for code in range(32)} | _SHORT)


def to_json(value: object) -> str:
    """A mapping with text as keys, a list or tuple, text, a finite number, a boolean or None.

    Raises:
        TypeError: it is, or holds, something else.
    """
    if isinstance(value, str):
        return f'"{value.translate(_ESCAPES)}"'
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(to_json, value))}]"
    if isinstance(value, dict):
        members = [f"{to_json(str(key))}: {to_json(one)}" for key, one in value.items()]
        return f"{{{', '.join(members)}}}"
    raise TypeError(f"{type(value).__name__} has no form in JSON")
