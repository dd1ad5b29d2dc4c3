"""The tables of the embedded store, as numbered migrations.

Chunk ids are never reused within a generation. A document's id is the id of its first chunk, and
its chunks follow each other, so no table of chunks is needed.
"""

from __future__ import annotations

__all__ = ["MIGRATIONS"]

_FIRST = """
-- n, total: live chunks and the sum of their lengths; next_id, next_term: the next free ids;
-- merged: chunk ids from here on stand in delta, not in the postings; revision: counts commits.
CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE document (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL, key TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL,
  name TEXT NOT NULL, description TEXT NOT NULL, scope TEXT NOT NULL,
  language TEXT NOT NULL, first_line INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  chunks INTEGER NOT NULL,
  spans BLOB NOT NULL  -- per chunk: where it is, its length and checksum (base.Record)
) STRICT;

-- The text that was indexed, deflated: what a removal analyses again and a snippet is cut from.
CREATE TABLE body (id INTEGER PRIMARY KEY, text BLOB NOT NULL) STRICT;

-- What the file looked like when it was read. No document: it was skipped, for this reason.
CREATE TABLE stamp (
  kind TEXT NOT NULL, key TEXT NOT NULL,
  path TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  is_racy INTEGER NOT NULL,
  document INTEGER, reason TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE language (name TEXT PRIMARY KEY, documents INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- few: up to 16 postings (see postings.join_few); otherwise NULL, and they stand in post.
CREATE TABLE term (
  term TEXT PRIMARY KEY, id INTEGER NOT NULL, df INTEGER NOT NULL, few BLOB
) STRICT, WITHOUT ROWID;

-- id: term id << 16 | container. A container is 65,536 chunk ids: their low halves, ascending,
-- 16 bits each, then one byte of frequency each.
CREATE TABLE post (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

-- Lengths of merged chunks, 16 bits each, 0 where there is none.
CREATE TABLE length (container INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

-- Signed rows: chunks > 0, the postings of a young document (data: ids, lengths, frequencies);
-- chunks < 0, how many chunks of a removed merged document had the term.
CREATE TABLE delta (
  term TEXT NOT NULL, document INTEGER NOT NULL, chunks INTEGER NOT NULL, data BLOB NOT NULL,
  PRIMARY KEY (term, document)
) STRICT, WITHOUT ROWID;

-- Merged documents that are gone and still stand in the postings.
CREATE TABLE dead (document INTEGER PRIMARY KEY, chunks INTEGER NOT NULL) STRICT;

-- Analysed pieces of an unfinished bulk write; nothing reads them but the merge.
CREATE TABLE pending (seq INTEGER PRIMARY KEY, crc INTEGER NOT NULL, data BLOB NOT NULL) STRICT;

INSERT INTO meta VALUES
  ('n', 0), ('total', 0), ('next_id', 0), ('next_term', 0), ('merged', 0), ('revision', 0),
  ('complete', 0);
"""

MIGRATIONS = (_FIRST,)
