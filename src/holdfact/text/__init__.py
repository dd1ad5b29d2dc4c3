"""Pure text work, no input or output: analysis, chunks, ranking arithmetic, snippets."""
