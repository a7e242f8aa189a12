"""All limits of the community, shared by the database, the forms and the pages."""

from datetime import timedelta

from apps.core.limits import DAY, MINUTE, RateLimit

POST_LENGTH = 5000  # characters, as in the next two
COMMENT_LENGTH = 2000
REASON_LENGTH = 500  # of the words of a report
POSTS_SHOWN = 10  # posts on a page: about four screens of a phone
POSTS_BYTES = 25_000  # bytes of the posts' texts on a page; their HTML, with links and escapes, is many times as large
COMMENTS_SHOWN = 30  # newest comments of a post; earlier ones are shown on demand
COMMENTS_EARLIER = 300  # the most earlier comments of a post
EARLIER_CHARACTERS = 60_000  # the most characters of earlier comments
REACTIONS_RECENT = 500  # reactions of one account that are read for its open pages
MENTIONS = 20  # mentions that are looked up in one text

REPORTS_SHOWN = 50  # reported texts on a page of the administrators' list, which can be decided together
REPORT_WORDS_SHOWN = 5  # words of reporters that are shown for one text
HIDDEN_SHOWN = 50  # hidden texts of each kind that their author sees

NEW_FOR = timedelta(days=1)  # an account is new for this time after its sign-up
MEMBER_FOR = timedelta(days=7)  # age from which an account's reports count towards hiding (`REPORTS_HIDE_AT`)
DISMISSED_WITHIN = timedelta(days=30)  # period of a reporter's dismissed reports that the next two limits count
HALF_AFTER = 1  # dismissed reports from which a report counts half
NOTHING_AFTER = 3  # dismissed reports from which a report does not count
HIDDEN_FOR = timedelta(hours=24)  # time for which reports alone hide a text without a decision
NEW_LINKS = 2  # links in one text of a new account

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
