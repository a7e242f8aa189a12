"""Limits of articles, for the database, the forms and the screens."""

from apps.core.limits import ADDRESS_LENGTH

TITLE_LENGTH = 200  # characters, like all lengths below
EXCERPT_LENGTH = 1000
CONTENT_LENGTH = 100_000
# the text fields of an article's form
POST_TEXTS = {"title": TITLE_LENGTH, "excerpt": EXCERPT_LENGTH, "content": CONTENT_LENGTH, "image_url": ADDRESS_LENGTH}
LINE_LENGTH = 10_000  # of a paragraph with markup; a longer one is plain text
SIGNS_MOST = 5_000  # of emphasis, links and lists in an article; lines after that are plain text
PREVIEW_LENGTH = 20_000  # beside the form; the page shows the whole article
NESTING = 8  # of lists and quotes, and of markup within a line
NAMED = 12  # participants and sessions that are listed below an article
