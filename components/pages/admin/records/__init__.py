"""People and records: the search through audit and errors, and the export of ratings."""

from components.pages.admin.records.page import load

__all__ = ["load"]
