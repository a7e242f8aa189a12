"""Reads of ratings. Only selectors for moderators and for an account's own data return unapproved marks."""
