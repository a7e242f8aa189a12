"""One session: its video, the running order, comments and reactions."""

from components.pages.public.session.page import load

__all__ = ["load"]
