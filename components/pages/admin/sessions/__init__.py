"""Administration of sessions: the list, the form of a session, and live control."""

from components.pages.admin.sessions.page import load

__all__ = ["load"]
