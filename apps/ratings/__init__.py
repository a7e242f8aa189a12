"""Ratings of pieces and performances, and recommendations."""
