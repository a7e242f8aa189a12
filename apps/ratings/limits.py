"""All limits of ratings, shared by the database, the forms and the pages."""

from apps.core.limits import MINUTE, RateLimit

PIECE_HIGHEST = 25  # points; the lowest mark is 1
PERFORMANCE_HIGHEST = 5
COMMENT_LENGTH = 2000  # characters
QUEUE_ROWS = 25  # ratings on a page of a moderator's list, which can be decided together
MATCHED = 5_000  # ratings in one decision about "all that match", about 30,000 marks

# counts submits and recommendations; a stage has 84 performances, and a listener cannot hear 30 of them in a minute
RATINGS = RateLimit("rating", 30, MINUTE, refusal="That was a lot in one minute. Please wait a moment, then try again.")
