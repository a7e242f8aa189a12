"""Reads of the ranking: frozen results."""
