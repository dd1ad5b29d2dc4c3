"""Bringing older fact stores up to date; nothing is ever lost."""
