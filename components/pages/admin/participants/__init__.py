"""Participants as administrators edit them: the list and the form of one."""

from components.pages.admin.participants.page import load

__all__ = ["load"]
