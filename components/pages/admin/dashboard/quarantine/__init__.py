"""Whom the rules keep out of a stage's ranking, and who was let out."""
