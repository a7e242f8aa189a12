"""Saving a form that others may save as well: merging, checking rows, asking again."""
