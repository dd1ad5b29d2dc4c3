"""One process that uses the engine as the command line does: open, sync, perhaps ask.

python engine_process.py ROOT STATE [QUERY]
"""

from __future__ import annotations

import sys

from holdfact.core.limits import CHUNK_OVERLAP_TOKENS, CHUNK_TOKENS, MAX_SOURCE_BYTES
from holdfact.engine.engine import Engine


def main() -> None:
    """Run the command line above."""
    root, state, *query = sys.argv[1:]
    engine = Engine.open(
        state,
        root,
        sources=("**/*.md", "**/*.mdx", "**/*.markdown"),
        chunk_tokens=CHUNK_TOKENS,
        chunk_overlap=CHUNK_OVERLAP_TOKENS,
        max_file_bytes=MAX_SOURCE_BYTES,
    )
    with engine:
        engine.sync()
        for text in query:
            for hit in engine.search(text, 8).hits:
                print(hit.rank, hit.id, hit.lines, hit.score, hit.snippet)


if __name__ == "__main__":
    main()
