"""Import: a file of participants, what each of its rows will do, and what was imported before."""

from components.pages.admin.imports.participants.page import load

__all__ = ["load"]
