"""The bounds of ratings, for forms, commands and the database alike."""

PIECE_HIGHEST = 25  # points
PERFORMANCE_HIGHEST = 5
COMMENT_LENGTH = 2000  # characters
QUEUE_ROWS = 50  # of a moderator's list, all of which may be decided at once
QUERY_LENGTH = 100  # characters of a search
