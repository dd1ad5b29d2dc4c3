"""Every limit of the product, with its unit in the name. Nothing is unbounded.

Source of a number: `facts` are the document's constants; the others say why beside them.
"""

from __future__ import annotations

# Facts (the source document's constants).
MAX_FACT_BYTES = 16_384
MAX_DESCRIPTION_BYTES = 180
ADVISED_DESCRIPTION_BYTES = 120
SNIPPET_BYTES = 240
SNIPPET_WINDOW_BYTES = 234
DEFAULT_SEARCH_LIMIT = 10
MAX_SEARCH_LIMIT = 25
PROMPT_INDEX_BYTES = 8_192
PROMPT_INDEX_GLOBAL_BYTES = 2_730
# A hand-written fact may be larger than what we write; past this it is a mistake, not a fact.
MAX_FACT_READ_BYTES = 1_048_576
# Longest file name of common file systems, in bytes.
MAX_FILE_NAME_BYTES = 255

# Documents and chunks.
CHUNK_TOKENS = 400
CHUNK_OVERLAP_TOKENS = 80
MIN_CHUNK_TOKENS = 32
MAX_CHUNK_TOKENS = 8_192
# Daily notes of 350 kB exist; generated files of hundreds of megabytes are not notes.
MAX_SOURCE_BYTES = 16_777_216
MAX_SOURCE_FILES = 1_000_000
BINARY_PROBE_BYTES = 8_192

# Ranking: BM25 (measured flat around these values), and what a word in a title, heading path,
# name or alias counts beside one in the body. Frequencies fit a byte.
BM25_K1 = 1.2
BM25_B = 0.75
FIELD_WEIGHT = 2
MAX_TERM_FREQUENCY = 255

# A longer header is not one. Titles are for people and for ranking.
MAX_HEADER_CHARS = 65_536
MAX_HEADING_CHARS = 256

# Analysis. A term is a word, so longer ones (blobs, minified code) are found by their beginning.
MAX_TERM_CHARS = 64
# Raw words that an analyser remembers per language (about 250 bytes each), and the longest of them.
MAX_MEMO_WORDS = 131_072
MAX_MEMO_WORD_BYTES = 64
# A word with more changes of case is a hash or a blob, and has no parts.
MAX_CAMEL_PARTS = 8

# Recall.
DEFAULT_RECALL_K = 8
MAX_RECALL_K = 1_000
MAX_QUERY_CHARS = 4_096
MAX_QUERY_TERMS = 256

# Waiting.
GIT_TIMEOUT_S = 2.0
FACT_LOCK_TIMEOUT_S = 10.0
MIGRATION_LOCK_TIMEOUT_S = 10.0
STORE_LOCK_TIMEOUT_S = 5.0

# Configuration.
MAX_CONFIG_BYTES = 1_048_576
MAX_JSON_BYTES = 67_108_864
