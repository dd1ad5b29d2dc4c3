"""Named choices that cost nothing at start: `Enum` and `StrEnum` without importing `enum`.

`enum` brings `functools` and `types`: a sixth of a bare interpreter's start. These behave the same
where this program uses them: members are singletons with `name` and `value`, `Class(value)` finds
one, a class is iterated in the order of definition, and pickling keeps the identity. Values are
strings. Type checkers see the real ones.
"""

from __future__ import annotations

__all__ = ["Enum", "StrEnum"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from enum import Enum, StrEnum
else:

    class _ChoiceType(type):
        def __new__(cls, name, bases, space):
            values = {
                own: value
                for own, value in space.items()
                if isinstance(value, str) and not own.startswith("_")
            }
            rest = {own: value for own, value in space.items() if own not in values}
            made = type.__new__(cls, name, bases, rest)
            members = {}
            for own, value in values.items():
                member = members[value] = made.__new__(made, value)
                member.name, member.value = own, value
                type.__setattr__(made, own, member)
            type.__setattr__(made, "_members", members)
            return made

        def __call__(cls, value):
            if type(value) is cls:
                return value
            if not isinstance(value, str) or value not in cls._members:
                raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
            return cls._members[value]

        def __iter__(cls):
            return iter(cls._members.values())

        def __len__(cls):
            return len(cls._members)

        def __setattr__(cls, name, value):
            raise AttributeError(f"the members of {cls.__qualname__} are fixed: {name}")

    class Enum(metaclass=_ChoiceType):
        """A choice among named values."""

        def __new__(cls, _value):
            return object.__new__(cls)

        def __str__(self):
            return f"{type(self).__name__}.{self.name}"

        def __repr__(self):
            return f"<{self.__class__.__name__}.{self.name}: {self.value!r}>"

        def __reduce_ex__(self, _protocol):
            return type(self), (self.value,)

    class StrEnum(str, Enum):
        """A choice whose members are their values."""

        __repr__ = Enum.__repr__
        __str__ = str.__str__
        __format__ = str.__format__
