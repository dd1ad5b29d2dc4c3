"""What composes the engines: recall, remember, review, status."""
