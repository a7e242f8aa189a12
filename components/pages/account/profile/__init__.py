"""The profile page, in its pieces."""

from components.pages.account.profile.page import load

__all__ = ["load"]
