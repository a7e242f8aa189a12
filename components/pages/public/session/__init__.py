"""The page of one session: its video, running order, comments and reactions."""

from components.pages.public.session.page import load

__all__ = ["load"]
