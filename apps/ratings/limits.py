"""Every number of ratings, in one place: the database, the forms and the screens take them from here."""

from apps.core.limits import MINUTE, RateLimit

PIECE_HIGHEST = 25  # points; the lowest mark is 1
PERFORMANCE_HIGHEST = 5
COMMENT_LENGTH = 2000  # characters
QUEUE_ROWS = 25  # ratings on a page of a moderator's list, all of which may be decided at once
MATCHED = 5_000  # ratings of one "all that match", some 30,000 marks

# submits and recommendations; a stage has 84 performances, nobody hears 30 in a minute
RATINGS = RateLimit("rating", 30, MINUTE, refusal="That was a lot in one minute. Please wait a moment, then try again.")
