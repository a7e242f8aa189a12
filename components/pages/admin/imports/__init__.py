"""Pages that import data."""
