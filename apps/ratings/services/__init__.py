"""Writes of the ratings: each loads, locks, authorises, writes and announces in one transaction."""
