"""Limits of following."""

FOLLOWS_MOST = 500  # performers that one member follows
