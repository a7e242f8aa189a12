"""All limits of ratings, shared by the database, the forms and the pages."""

from apps.core.limits import DAY, HOUR, MINUTE, RateLimit

PIECE_HIGHEST = 25  # points; the lowest mark is 1
PERFORMANCE_HIGHEST = 5
COMMENT_LENGTH = 2000  # characters
QUEUE_ROWS = 25  # ratings on a page of a moderator's list, which can be decided together
MATCHED = 5_000  # ratings in one decision about "all that match", about 30,000 marks
STAGE_KEY = 32  # random bytes of a stage's key
BLOCK_BITS = {4: 24, 6: 48}  # of the address block that a rating was submitted from, by IP version

# with the setting, the piece ratings of an account with so many approved submissions are approved at once
PROVEN_FROM = 10
UNREJECTED_FOR = 30 * DAY  # seconds without a rejection

STRUCK_WITHIN = 30 * DAY  # seconds; a mark that waited longer in a browser counts as struck then

# marks that were made signed out, in one message of a browser or with a registration; a form has at most 65,536 bytes
SIGNED_OUT_PERFORMANCES = 100
SIGNED_OUT_LENGTH = 50_000  # characters of JSON

# counts submits, marks taken over and recommendations; a stage has 84 performances, and a listener cannot hear 30 of
# them in a minute
RATINGS = RateLimit("rating", 30, MINUTE, refusal="That was a lot in one minute. Please wait a moment, then try again.")
# a window sends at most every 400 ms, and only while its member changes marks; the browser repeats silently
SHEET_WRITES = RateLimit("strike", 200, MINUTE, refusal="Your marks are kept in this browser and sent in a moment.")
# each export reads all marks of a stage at most
RATING_EXPORTS = RateLimit(
    "rating export", 20, HOUR, refusal="That was a lot of exports in one hour. Please wait a while, then try again."
)
EXPORT_BATCH = 2_000  # rows that an export has in memory
EXPORT_MEMORY = 1_000_000  # bytes of a written file that stay in memory; a longer one is a temporary file
