"""Every number of comments and reactions, in one place: the database, the forms and the screens take them from here."""

from datetime import timedelta

from apps.core.limits import RateLimit

COMMENT_LENGTH = 500  # characters
COMMENTS_SHOWN = 30  # that everybody sees; older ones on demand
REACTIONS_LATELY = 30  # seconds in which reactions are counted
TAPS_AT_ONCE = 10  # in one message
CURVE_SLICES = 60  # of a performance, at most, in each of which its reactions are counted
CURVE_SLICE_SECONDS = (5, 10, 15, 20, 30, 60, 120, 300, 600)  # the shortest that suffices; for more than ten hours more

NEW_FOR = timedelta(minutes=10)  # after signing up: people register in the middle of an evening
NEWCOMER = RateLimit(
    "comment", 1, 15, refusal="A new account can write one comment in 15 seconds. Please wait a moment."
)
MEMBER = RateLimit(
    *("comment", 3, 5),
    one_by_one=True,
    refusal="That was a little fast. Please wait a few seconds before your next comment.",
)
