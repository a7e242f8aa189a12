"""Limits of comments and reactions, for the database, the forms and the screens."""

from datetime import timedelta

from apps.core.limits import RateLimit

COMMENT_LENGTH = 500  # characters
COMMENTS_SHOWN = 30  # on every page; older ones on demand
WORDS_SHOWN = 3  # of the newest comments and posts about a performer's or stage's performances
WORDS_LENGTH = 280  # characters of each; the rest is where it was written
REACTIONS_LATELY = 30  # seconds of the window in which reactions are counted
TAPS_AT_ONCE = 10  # in one message
CURVE_SLICES = 60  # maximum number of slices of a performance, in each of which reactions are counted
CURVE_SLICE_SECONDS = (5, 10, 15, 20, 30, 60, 120, 300, 600)  # the shortest that suffices; longer ones above ten hours
APPLAUSE_SECONDS = 60  # of a moment in which hearts and thumbs up are counted together
APPLAUDED_SHOWN = 3  # moments of a session, each of another performance

NEW_FOR = timedelta(minutes=10)  # after signing up: people register in the middle of an evening
NEWCOMER = RateLimit(
    "comment", 1, 15, refusal="A new account can write one comment in 15 seconds. Please wait a moment."
)
MEMBER = RateLimit(
    *("comment", 3, 5),
    one_by_one=True,
    refusal="That was a little fast. Please wait a few seconds before your next comment.",
)
