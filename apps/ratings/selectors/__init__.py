"""Reads of ratings; unapproved ones only in selectors of moderation and of one's own ratings."""
