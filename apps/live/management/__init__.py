"""Management commands of the live app."""
