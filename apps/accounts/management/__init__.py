"""Management commands of accounts, and their helpers."""
