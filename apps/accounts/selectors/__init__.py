"""Reads of accounts: frozen results, nothing private but to oneself."""
