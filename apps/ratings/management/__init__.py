"""Management commands of the ratings."""
