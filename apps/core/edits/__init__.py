"""Saving forms: merging edits, validating rows, confirmations."""
