"""The bounds of an article, for its form and its commands."""

TITLE_LENGTH, EXCERPT_LENGTH, CONTENT_LENGTH = 200, 1000, 100_000  # characters
VERSION_LENGTH = 400  # of what an editor has read
