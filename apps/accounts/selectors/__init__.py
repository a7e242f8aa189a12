"""Reads of accounts: frozen results; private data only for the account itself and administrators."""
