"""The floor: the least program that indexes Markdown with SQLite's FTS5 and finds it again.

It cuts at headings or 1,600 characters, stores each piece with its line, and reads a file again
when its time or size changed. One process, the standard library, no ranking of its own.

    python floor_fts5.py FOLDER DATABASE index
    python floor_fts5.py FOLDER DATABASE query "WORDS"
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = """
CREATE TABLE IF NOT EXISTS file (path TEXT PRIMARY KEY, mtime INTEGER, size INTEGER, digest BLOB);
CREATE TABLE IF NOT EXISTS piece (id INTEGER PRIMARY KEY, path TEXT, line INTEGER, text TEXT);
CREATE INDEX IF NOT EXISTS piece_path ON piece (path);
CREATE VIRTUAL TABLE IF NOT EXISTS found USING fts5
  (text, content = 'piece', content_rowid = 'id', tokenize = 'unicode61');
"""
LONGEST_CHARS = 1600
SHORTEST_CHARS = 200


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """The first line and the text of each piece."""
    lines: list[str] = []
    first, size = 1, 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if lines and ((line.startswith("#") and size > SHORTEST_CHARS) or size > LONGEST_CHARS):
            yield first, "".join(lines)
            lines, first, size = [], number, 0
        lines.append(line)
        size += len(line)
    if lines:
        yield first, "".join(lines)


def index(root: str, store: sqlite3.Connection) -> None:
    """Bring the store up to date."""
    known = {row[0]: row[1:] for row in store.execute("SELECT path, mtime, size FROM file")}
    for folder, _, names in os.walk(root):
        for name in names:
            if not name.endswith(".md"):
                continue
            path = os.path.join(folder, name)
            status = os.stat(path)
            if known.get(path) != (status.st_mtime_ns, status.st_size):
                replace(store, path, status)
    store.commit()


def replace(store: sqlite3.Connection, path: str, status: os.stat_result) -> None:
    """Index one file again."""
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    old = store.execute("SELECT id, text FROM piece WHERE path = ?", (path,)).fetchall()
    store.executemany("INSERT INTO found (found, rowid, text) VALUES ('delete', ?, ?)", old)
    store.execute("DELETE FROM piece WHERE path = ?", (path,))
    for line, piece in pieces(text):
        added = store.execute(
            "INSERT INTO piece (path, line, text) VALUES (?, ?, ?)", (path, line, piece)
        )
        store.execute("INSERT INTO found (rowid, text) VALUES (?, ?)", (added.lastrowid, piece))
    digest = hashlib.sha256(text.encode()).digest()
    row = (path, status.st_mtime_ns, status.st_size, digest)
    store.execute("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)", row)


def query(store: sqlite3.Connection, words: str) -> None:
    """Print the ten best pieces."""
    match = " OR ".join(f'"{word}"' for word in words.split())
    for row in store.execute(
        "SELECT path, line, bm25(found), snippet(found, 0, '[', ']', '…', 12)"
        " FROM found JOIN piece ON piece.id = found.rowid WHERE found MATCH ?"
        " ORDER BY bm25(found) LIMIT 10",
        (match,),
    ):
        print(row)


def main() -> None:
    """Run the command line above."""
    root, database, command = sys.argv[1:4]
    store = sqlite3.connect(database)
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA synchronous = NORMAL")
    store.executescript(SCHEMA)
    if command == "index":
        index(root, store)
    else:
        query(store, sys.argv[4])
    store.close()


if __name__ == "__main__":
    main()
