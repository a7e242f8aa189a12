"""Writes of the competition: each loads, locks, authorises, writes and publishes in one transaction."""
