"""Writes of the community: posts, comments and reactions, and what is reported of all texts."""
