"""Stages as administrators edit them: the list in its order, and the form of one."""

from components.pages.admin.stages.page import load

__all__ = ["load"]
