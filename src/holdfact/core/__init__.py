"""What every layer stands on: types, errors, limits, clock, files, locks, git, configuration."""
