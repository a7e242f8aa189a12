"""The dashboard: moderation, unusual marks, live control, default pictures, audit and errors."""

from components.pages.admin.dashboard.page import load

__all__ = ["load"]
