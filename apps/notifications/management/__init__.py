"""Management commands of notifications."""
