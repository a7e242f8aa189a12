"""Ratings: rows, the newest of all, a participant's figures."""
