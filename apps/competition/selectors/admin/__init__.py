"""Reads for administrators: lists with search and pages, forms with the version that was read."""
