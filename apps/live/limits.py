"""The bounds of what an audience writes, for forms, commands and the database alike."""

COMMENT_LENGTH = 500  # characters of a comment
