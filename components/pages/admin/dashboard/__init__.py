"""The dashboard: ratings that wait, what runs live, default pictures, and who changed what."""

from components.pages.admin.dashboard.page import load

__all__ = ["load"]
