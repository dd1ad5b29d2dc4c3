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
# The largest `engine.max_file_bytes`: one document is held in memory while it is chunked.
MAX_CONFIGURED_SOURCE_BYTES = 1_073_741_824
BINARY_PROBE_BYTES = 8_192
# Ignored files are listed, but an ignored build folder must not flood the answer or the clock.
MAX_IGNORED_LISTED_PER_FOLDER = 20
MAX_IGNORED_ENTRIES_SEEN = 2_000
MAX_SUBMODULES = 100

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

# A temporary file this old is nobody's: a write takes milliseconds.
LEFTOVER_AGE_S = 3_600.0

# Waiting.
GIT_TIMEOUT_S = 2.0
# Where git did not answer it is asked again after this time, or after so many times what the
# asking took: a command that needs the answer several times waits for a hanging git once.
GIT_SILENCE_S = 1.0
GIT_SILENCE_PER_WAIT = 5
# Listing what is ignored reads the whole working tree: seconds in a very large one.
GIT_LIST_TIMEOUT_S = 15.0
MAX_GIT_OUTPUT_BYTES = 67_108_864
CONFIG_LOCK_TIMEOUT_S = 5.0
FACT_LOCK_TIMEOUT_S = 10.0
MIGRATION_LOCK_TIMEOUT_S = 10.0
STORE_LOCK_TIMEOUT_S = 5.0

# Configuration.
MAX_CONFIG_BYTES = 1_048_576
# The deepest key has three: review.commands.NAME.
MAX_CONFIG_KEY_PARTS = 32
MAX_CONFIG_LIST_ITEMS = 1_000
MAX_CONFIG_VALUE_CHARS = 4_096
MAX_GLOB_CHARS = 1_024
# Our own small records: an instance's name, the trusted projects.
MAX_RECORD_BYTES = 4_194_304
MAX_JSON_BYTES = 67_108_864

# Migrations. A marker or ledger of a thousand stores is some hundred kilobytes.
MAX_MIGRATION_RECORD_BYTES = 16_777_216
# All facts are read before one is written, so together they must fit in memory.
MAX_MIGRATED_BYTES = 268_435_456
# A session's header is a few hundred bytes; a system prompt in it may be some hundred thousand.
MAX_SESSION_HEADER_BYTES = 1_048_576
MAX_SESSION_FILES = 100_000

# Review.
MAX_CONDITION_CHARS = 1_024
REVIEW_COMMAND_TIMEOUT_S = 10.0
MAX_EVIDENCE_CHARS = 240

# Standard input and `--file`: far above any fact, so that its refusal names the fact's own limit.
MAX_INPUT_BYTES = 1_048_576

# The engine's store.
STORE_CACHE_KIB = 8_192
# Pages in the write-ahead log before it is copied back: 4 MB.
STORE_WAL_PAGES = 1_000
MAX_CHUNK_LENGTH_TERMS = 65_535
# A container of postings addresses its chunks with 16 bits.
CONTAINER_CHUNKS = 65_536
MAX_DOCUMENT_CHUNKS = 65_536
# A document is called by what stands in its beginning.
TITLE_CHARS = 16_384
# Postings kept in the row of the term itself.
INLINE_POSTINGS = 16
# Changed chunks that wait beside the postings before they are merged into them; the larger counts.
DELTA_CHUNKS = 1_000
DELTA_SHARE = 0.02
# More changed documents than this at once go straight into the postings.
BULK_DOCUMENTS = 64
# A piece of a build: what one worker analyses before it is stored. About half a second of work.
SEGMENT_SOURCE_BYTES = 3_000_000
# A task is this part of what is left of a build, so that two processes end together; and no task
# but the last is less than this part of the whole.
BUILD_TASK_SHARE = 6
BUILD_MOST_TASKS = 40
# Pieces that wait for the merge, together.
PENDING_BYTES = 33_554_432
BUILD_PROCESSES = 2
# Below this a second process costs more than it saves.
BUILD_PARALLEL_BYTES = 4_000_000
# A file whose time is this close to when it was read may change again without a new time:
# kernels stamp files by their tick (4 to 10 ms); file systems without fractions of a second, 2 s.
RACY_NS = 50_000_000
RACY_COARSE_NS = 2_000_000_000
# No source at all where there were this many: a vanished mount, not a change.
VANISHED_SOURCES = 5

# The committed index. Hosts warn above 50 MB a file and refuse above 100 MB; a document or a term
# is never split, so one that is larger than the cap has a part of its own up to MAX_PART_BYTES.
SHARD_MAX_BYTES = 20_971_520
MIN_SHARD_MAX_BYTES = 1_024
MAX_PART_BYTES = 95_000_000
MAX_PARTS = 9_999
# All parts of one index together are held in memory while they are verified.
MAX_COMMITTED_INDEX_BYTES = 2_000_000_000
INDEX_PARAGRAPHS = 20
INDEX_PARAGRAPH_CHARS = 480
INDEX_SNIPPET_CHARS = 240
INDEX_SNIPPETS = 3
INDEX_BM25_K1 = 1.5
DEFAULT_INDEX_K = 5
MAX_INDEX_K = 1_000
INDEX_LOCK_TIMEOUT_S = 30.0

# Ranking.
RECALL_POOL_CHUNKS = 200
# Nothing rather than noise: a hit scores at least this share of the best ...
CUT_SCORE_SHARE = 0.4
# ... and its terms carry at least this share of the query's information.
CUT_COVERAGE = 0.1
# A code or an identifier in at most so many chunks keeps a place at the front.
EXACT_CODE_CHUNKS = 20
# Chunks read to verify a phrase or an identifier.
EXACT_CANDIDATES = 1_000
# Chunks with all words of a phrase that are scored to choose those.
EXACT_MATCHES = 20_000
SNIPPET_RECALL_BYTES = 320
