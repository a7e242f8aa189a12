"""Writes of the competition: each loads, locks, authorises, writes and announces in one transaction."""
