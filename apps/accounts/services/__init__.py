"""Writes of accounts, one file for each noun."""
