"""The dashboard: moderation, live control, default pictures, audit."""

from components.pages.admin.dashboard.page import load

__all__ = ["load"]
