"""Writes of the community: posts, comments and reactions, and reports about any text."""
