"""The forms of an index between its parts: as the public dictionary, parsed, and as lines of text.

- The **payload** is the public form: the dictionary that `json.loads` gives of a single-file index.
- `Index` is the same, parsed for computing: the postings of a term are one flat list of numbers.
  A posting as a dictionary would take ten times the memory and most of the time.
- `Lines` is the compact text, cut at its units: what is written and, unchanged, written again.
"""

from __future__ import annotations

from holdfact.core.record import NamedTuple

__all__ = [
    "ARTIFACT_TYPE",
    "FALLBACK_POLICY",
    "FORMAT_VERSION",
    "HEAD_KEYS",
    "PART_TYPE",
    "SCHEMA_VERSION",
    "SHARDS_TYPE",
    "VECTOR_RUNTIME_MODE",
    "WRITE_OWNER",
    "Index",
    "Lines",
]

ARTIFACT_TYPE = "memory-index"
SHARDS_TYPE = "memory-index-shards"
PART_TYPE = "memory-index-part"
SCHEMA_VERSION = "1.3"
FORMAT_VERSION = "json-bm25-postings-v2"
# Who wrote an index: what another program wrote is built anew, not refreshed.
WRITE_OWNER = "holdfact"
VECTOR_RUNTIME_MODE = "sparse-tfidf-cosine"
FALLBACK_POLICY = "non-blocking-file-read-then-search"
# The keys before `documents`, in order; `postings`, `avgdl` and `N` follow.
HEAD_KEYS = (
    "artifact_type",
    "memory_index_schema_version",
    "index_format_version",
    "index_build_id",
    "index_write_owner",
    "vector_runtime_mode",
    "vector_model_id",
    "vector_dim",
    "fallback_policy",
    "source_fingerprint",
    "project_name",
    "framework",
    "built_at",
    "source_count",
)


class Index(NamedTuple):
    """A valid index, parsed.

    Attributes:
        meta: every top-level key but `documents` and `postings`.
        documents: as the payload has them; `doc_id` is the position.
        postings: term → doc_id, tf, doc_id, tf …, ascending by doc_id; terms in the file's order.
    """

    meta: dict[str, object]
    documents: list[dict[str, object]]
    postings: dict[str, list[int]]


class Lines(NamedTuple):
    """The compact text of an index, cut at its units; each unit is ASCII without a trailing comma.

    Attributes:
        head: the top-level keys before `documents`, in order.
        documents: the text of each document: a head line, a line per paragraph, a tail line.
        terms: one line a term: `"term":[{"doc_id":0,"tf":1},…]`.
        tail: the top-level keys after `postings`, in order.
    """

    head: dict[str, object]
    documents: list[bytes]
    terms: list[bytes]
    tail: dict[str, object]
