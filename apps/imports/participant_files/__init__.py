"""Participant files: decoding, table, pieces in cells, planned rows, and writing such a file."""
