"""Every number of the news, in one place: the database, the forms and the screens take them from here."""

TITLE_LENGTH = 200  # characters, as all that follow
EXCERPT_LENGTH = 1000
CONTENT_LENGTH = 100_000
