"""The command line: it converts and never decides."""
