"""Fact files: typed, single-fact Markdown files in two scopes."""
