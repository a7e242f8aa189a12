"""The list of news and one article."""

from components.pages.public.news.page import load

__all__ = ["load"]
