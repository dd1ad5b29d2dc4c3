"""The page of limits, from the source of `core/limits.py`: names, values and comments."""

from __future__ import annotations

import ast

from tools.pages.markdown import code, table

__all__ = ["render"]

INTRODUCTION = """# Limits

Nothing is unbounded. The last word of a name is its unit; without one it is a count.

"""


def render(source: str) -> str:
    """The page.

    A comment after an empty line is the heading of what follows up to the next empty line; one
    directly above a name (or behind it) is the reason for its number.
    """
    value_of = _values(source)
    sections: list[tuple[str, list[tuple[str, str, str]]]] = [("", [])]
    comment: list[str] = []
    is_first = True  # of its block
    for line in source.splitlines():
        name = line.split(" =")[0].split(":")[0]
        if not line.strip():
            is_first, comment = True, []
        elif line.startswith("#"):
            comment.append(line.lstrip("# ").strip())
        elif name in value_of:
            if is_first:
                sections.append((" ".join(comment), []))
                comment, is_first = [], False
            behind = line.partition("  #")[2].strip()
            sections[-1][1].append((code(name), value_of[name], behind or " ".join(comment)))
            comment = []
    return INTRODUCTION + "".join(_section(*section) for section in sections if section[1])


def _section(title: str, rows: list[tuple[str, str, str]]) -> str:
    heading, _, rest = title.partition(". ")
    more = f"{rest}\n\n" if rest else ""
    return f"## {heading.strip('.') or 'Others'}\n\n{more}{table(('Limit', 'Value', 'Why'), rows)}"


def _values(source: str) -> dict[str, str]:
    found = {}
    for node in ast.parse(source).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id.isupper():
            value = getattr(node, "value", None)
            if value is not None:
                found[target.id] = _shown(value)
    return found


def _shown(node: ast.expr) -> str:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return code(ast.unparse(node))
    return f"{value:,}" if isinstance(value, int) else code(value)
