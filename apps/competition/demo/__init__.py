"""A competition that never was, so that a fresh clone has something to show; its texts are the JSON files here."""

from .accounts import accounts_noted
from .load import demo_load

__all__ = ["accounts_noted", "demo_load"]
