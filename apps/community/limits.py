"""Every number of the community, in one place: the database, the forms and the screens take them from here."""

from datetime import timedelta

from apps.core.limits import DAY, MINUTE, RateLimit

POST_LENGTH = 5000  # characters, as the three that follow
COMMENT_LENGTH = 2000
REASON_LENGTH = 500  # of what somebody holds against a text
POSTS_SHOWN = 20  # on a page
POSTS_BYTES = 25_000  # of their texts on a page, of which links and signs make many times as much
COMMENTS_SHOWN = 30  # of a post, at once; earlier ones on demand
COMMENTS_EARLIER = 300  # of a post, at most, before those
EARLIER_CHARACTERS = 60_000  # of the texts of those
REACTIONS_RECENT = 500  # of one person, for the pages that are open
MENTIONS = 20  # that are looked up in one text

REPORTS_SHOWN = 50  # of the administrators' list, all of which may be decided at once
REPORT_WORDS_SHOWN = 5  # of those who reported one thing
HIDDEN_SHOWN = 50  # of one's own things of each kind that are hidden

NEW_FOR = timedelta(days=1)  # after signing up
MEMBER_FOR = timedelta(days=7)  # from then on reports count towards hiding (`REPORTS_HIDE_AT`)
DISMISSED_WITHIN = timedelta(days=30)  # in which a reporter's dismissed reports count, as in the two that follow
HALF_AFTER = 1  # dismissed reports, from which on a report counts half
NOTHING_AFTER = 3  # from which on it does not count
HIDDEN_FOR = timedelta(hours=24)  # by reports alone, until a decision
NEW_LINKS = 2  # in one text, while new

POST_PACE = RateLimit("post", 1, 15, refusal="You can write one post in 15 seconds. Please try again in %(seconds)d s.")
POST_DAY = RateLimit("post_day", 20, DAY, refusal="You can write 20 posts a day. Please try again in %(hours)d h.")
NEW_POST_DAY = RateLimit(
    *("post_day", 5, DAY), refusal="A new account can write 5 posts a day. Please try again in %(hours)d h."
)
COMMENT_PACE = RateLimit(
    "post_comment", 1, 5, refusal="You can write one comment in 5 seconds. Please try again in %(seconds)d s."
)
NEW_COMMENT_DAY = RateLimit(
    *("post_comment_day", 60, DAY),
    refusal="A new account can write 60 comments a day. Please try again in %(hours)d h.",
)
SAME_TEXT = RateLimit(
    *("post_text", 1, 5 * MINUTE),
    refusal="You have just written the same. Please write something else, or try again in %(minutes)d min.",
)
REACTIONS = RateLimit(
    *("post_reaction", 60, MINUTE),
    refusal="That was a lot of reactions in one minute. Please try again in %(seconds)d s.",
)
REPORTS = RateLimit("report", 20, DAY, refusal="You can report 20 things a day. Please try again in %(hours)d h.")
