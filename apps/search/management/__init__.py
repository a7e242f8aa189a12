"""Management commands of the search."""
