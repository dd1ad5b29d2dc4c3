"""Write the generated pages, or with `--check` say which are out of date."""

from __future__ import annotations

import sys

from tools.pages import FOLDER, PAGES, page, stale


def main(arguments: list[str]) -> int:
    """Exit code 1: a page can't be made, or `--check` finds one out of date."""
    only_compare = "--check" in arguments
    failed = False
    for name in PAGES:
        try:
            text = page(name)
        except (ImportError, AttributeError) as err:
            failed = True
            print(f"docs/{name}: can't be made: {err}")
            continue
        if stale(name, text) and only_compare:
            failed = True
            print(f"docs/{name}: out of date: make pages")
        elif stale(name, text):
            (FOLDER / name).write_text(text, encoding="utf-8")
            print(f"docs/{name}: written")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
