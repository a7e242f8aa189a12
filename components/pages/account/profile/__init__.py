"""The profile page."""

from components.pages.account.profile.page import load

__all__ = ["load"]
