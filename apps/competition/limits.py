"""Every number of the competition, in one place: the database, the forms and the screens take them from here."""

from datetime import timedelta

from apps.core.limits import ADDRESS_LENGTH

NAME_LENGTH = 100  # characters of each of a participant's names, and of a country; as all that follow
FULL_NAME_LENGTH = 2 * NAME_LENGTH + 1
FOLDED_NAME_LENGTH = 1000
BIOGRAPHY_LENGTH = 100_000
EXCERPT_LENGTH = 100  # of the biography on a card
PROGRAM_LENGTH = 5000  # of an imported performance
STAGE_LENGTH = 100
TITLE_LENGTH = 200  # of a session
DESCRIPTION_LENGTH = 5000
VIDEO_LENGTH = ADDRESS_LENGTH  # of what is typed for a session's video: a pasted iframe is long
PIECE_LENGTH = 200  # of its name
ORDER_LENGTH = 10_000  # of all ids of an order of playing
PARTICIPANTS_SHOWN = 100  # on a page of a list, as the two that follow
SESSIONS_SHOWN = 50
PIECES_SHOWN = 100
COUNTRIES_MOST = 250  # to choose from; more are not imported
PERFORMERS_MOST = 100  # of a session: its page shows them all, each with a part of its own
STAGES_MOST = 30
APPEARANCES_SHOWN = 50  # of a participant, the newest
OPTIONS_MOST = 50  # sessions or participants to choose from at a time; a search finds the others
UNDO_LIFETIME = timedelta(minutes=10)  # removed performers and replaced programs can be brought back for so long
UNDOS_SHOWN = 10  # of them, on a page
ORDER_MOST = 1000  # ids that are looked up at once

BIRTH_YEAR_MINIMUM = 1900
BIRTH_YEAR_BEYOND = 2100  # a table cannot know the current year; `validate_birth_year` does
YEAR_MOST = 9999  # that is read; which years are possible says the service
