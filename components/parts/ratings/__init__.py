"""Ratings: the form, rows, the newest ratings, and the figures of performances and participants."""
