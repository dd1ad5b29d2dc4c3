"""`Secret`: a value that can be used, and can't be shown.

**Invariant:** no secret value leaves this module: it can't be printed, formatted, serialised,
copied or pickled, and lies in no attribute. A program gets at it only inside `use`.
"""

from __future__ import annotations

from typing import NoReturn, TypeVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["LENGTH_BUCKETS", "Secret"]

T = TypeVar("T")

# What may be told about a length: enough to see a truncated delivery, too little to help guessing.
LENGTH_BUCKETS: tuple[tuple[int, str], ...] = (
    (1, "0"),
    (16, "<16"),
    (40, "<40"),
    (100, "<100"),
    (400, "<400"),
)


class Secret:
    """A secret text.

    Args:
        value: the text; only `use` gives it out again.
    """

    __slots__ = ("_give",)
    __hash__ = None  # type: ignore[assignment]  # a hash would be a fingerprint without salt

    def __init__(self, value: str) -> None:
        # A closure, not an attribute: vars(), slots and debuggers' listings show no text.
        def give(fn: Callable[[str], object]) -> object:
            return fn(value)

        self._give = give

    def use(self, fn: Callable[[str], T]) -> T:
        """What `fn` returns for the value."""
        return self._give(fn)  # type: ignore[return-value]  # give returns what fn does

    @property
    def is_present(self) -> bool:
        """Whether the value has any characters."""
        return self.use(bool)

    @property
    def length_bucket(self) -> str:
        """The length in characters, roughly: `0`, `<16`, `<40`, `<100`, `<400` or `more`."""
        length = self.use(len)
        return next((name for below, name in LENGTH_BUCKETS if length < below), "more")

    def __eq__(self, other: object) -> bool:
        """Whether two secrets hold the same text, told in constant time."""
        if not isinstance(other, Secret):
            return NotImplemented
        from hmac import compare_digest

        def encoded(text: str) -> bytes:
            return text.encode("utf-8", "surrogatepass")

        return compare_digest(self.use(encoded), other.use(encoded))

    def __repr__(self) -> str:
        """A text without the value, for tracebacks and debuggers."""
        return f"Secret({self.length_bucket})"

    def __str__(self) -> NoReturn:
        """Refused: a secret is never text."""
        raise TypeError("a Secret is never text; use Secret.use")

    def __format__(self, spec: str) -> NoReturn:
        """Refused: a secret is never text."""
        raise TypeError("a Secret is never text; use Secret.use")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refused: pickling and copying would take the value along."""
        raise TypeError("a Secret can't be pickled or copied")
