"""Management commands of the competition."""
