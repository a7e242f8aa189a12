"""One participant: performances, biography and ratings."""

from components.pages.public.participant.page import load

__all__ = ["load"]
