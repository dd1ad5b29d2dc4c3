"""The search engine of one instance: full text over documents, one generation at a time."""
