"""News as administrators write them: the list and the form of one post."""

from components.pages.admin.news.page import load

__all__ = ["load"]
