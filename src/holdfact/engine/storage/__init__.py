"""Where the engine keeps its rows: one Protocol, its providers."""
