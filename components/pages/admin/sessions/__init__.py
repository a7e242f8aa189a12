"""Sessions as administrators edit them: the list, the form of one, and what runs live."""

from components.pages.admin.sessions.page import load

__all__ = ["load"]
