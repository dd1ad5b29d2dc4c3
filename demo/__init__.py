"""The demonstration: `make demo`."""
