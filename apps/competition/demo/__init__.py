"""A competition that never was, so that a fresh clone has something to show; its texts are the JSON files here."""

from .accounts import accounts_noted, accounts_open
from .load import demo_load

__all__ = ["accounts_noted", "accounts_open", "demo_load"]
