"""The project's own gates and generators; nothing here is part of the product."""
