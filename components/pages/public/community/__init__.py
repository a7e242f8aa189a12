"""The community feed: what the audience says between the pieces."""

from components.pages.public.community.page import load

__all__ = ["load"]
