"""Settings as plain types and as text, for the `config` verbs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfact.core.config import Config

__all__ = ["plain_value", "shown", "value_fields"]


def plain_value(value: object) -> object:
    """A setting's value as JSON has it; the empty path means not set."""
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, dict):
        return {name: list(argv) for name, argv in value.items()}
    return None if value == "" else value


def shown(value: object) -> str:
    """A setting's value in a line."""
    if isinstance(value, str | int):
        return str(value)
    import json

    return json.dumps(plain_value(value), ensure_ascii=False)


def value_fields(config: Config, name: str) -> dict[str, object]:
    """One setting: key, value, origin."""
    return {"key": name, "value": plain_value(config.get(name)), "origin": config.origin(name)}
