"""Import Programs: a participant of a session, a pasted text, and what each of its lines becomes."""

from components.pages.admin.imports.programs.page import load

__all__ = ["load"]
