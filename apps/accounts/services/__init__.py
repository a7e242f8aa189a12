"""Writes of accounts, one file for each noun."""

from .accounts import account_create, session_end

__all__ = ["account_create", "session_end"]
