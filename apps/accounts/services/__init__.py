"""Writes of accounts, one module for each noun."""
