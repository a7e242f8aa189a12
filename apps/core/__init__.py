"""Shared base of all apps: the bus, commands, rate limits, the audit, the error log, texts and database helpers."""
