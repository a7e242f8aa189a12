"""Reads for administrators: searchable paged lists, and forms with the version of their values."""
