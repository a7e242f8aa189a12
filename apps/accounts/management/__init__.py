"""Accounts from a terminal."""
