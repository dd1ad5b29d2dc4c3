"""What an index was built with. Another identity means another index, built beside the old one."""

from __future__ import annotations

import sys

from holdfact.core.limits import FIELD_WEIGHT
from holdfact.core.record import NamedTuple

__all__ = ["Parameters", "lexical_identity"]


class Parameters(NamedTuple):
    """The settings that the engine works by.

    Attributes:
        root: absolute folder of the project.
        sources: globs of what is a document.
        exclude: globs of what is left out.
        chunk_tokens: largest chunk, overlap included, in tokens.
        chunk_overlap: tokens that a chunk repeats.
        max_file_bytes: larger files are skipped.
    """

    root: str
    sources: tuple[str, ...]
    exclude: tuple[str, ...]
    chunk_tokens: int
    chunk_overlap: int
    max_file_bytes: int


def lexical_identity(parameters: Parameters) -> str:
    """Everything that postings depend on beside the text, readable, one line.

    The schema is not part of it: a store migrates by number. Byte order is: lists are native.
    """
    from holdfact.text.tokenizer import Analyzer
    from holdfact.text.versions import CHUNKER_VERSION

    return (
        f"layout=1 order={sys.byteorder} analyser={Analyzer.identity()} chunker={CHUNKER_VERSION}"
        f" size={parameters.chunk_tokens} overlap={parameters.chunk_overlap}"
        f" weight={FIELD_WEIGHT}"
    )
