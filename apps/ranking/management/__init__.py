"""Management commands of the ranking."""
