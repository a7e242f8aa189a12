"""Programs: what each participant plays in a session, in five groups."""

from .page import load

__all__ = ["load"]
