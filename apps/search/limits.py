"""Limits of the search."""

QUERY_LENGTH = 100  # characters that are searched for; the rest is cut
QUERY_WORDS = 10
TOTAL_MOST = 100  # hits of a kind that are counted
