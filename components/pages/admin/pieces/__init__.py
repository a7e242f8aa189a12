"""The catalogue as administrators edit it: the list, and the form of one piece."""

from components.pages.admin.pieces.page import load

__all__ = ["load"]
