"""One participant: the biography, what was played, and what the audience gave."""

from components.pages.public.participant.page import load

__all__ = ["load"]
