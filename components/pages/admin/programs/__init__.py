"""The page "Programs" of administration: programs of a session, what is offered, and the page's address."""

from components.pages.admin.programs.page import load

__all__ = ["load"]
