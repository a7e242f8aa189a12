"""Every number of the news, in one place: the database, the forms and the screens take them from here."""

TITLE_LENGTH = 200  # characters, as all that follow
EXCERPT_LENGTH = 1000
CONTENT_LENGTH = 100_000
LINE_LENGTH = 10_000  # of a paragraph with links and emphasis; a longer one is plain text
SIGNS_MOST = 5_000  # of emphasis, links and lists in an article; the lines behind them are plain text
PREVIEW_LENGTH = 20_000  # beside the form; the whole is shown once it is saved
NESTING = 8  # of lists and quotes, and of what stands out within a line
NAMED = 12  # participants and sessions that are listed below an article
