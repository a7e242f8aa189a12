"""The community."""
