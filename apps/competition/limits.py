"""All numbers of the competition; the database, the forms and the screens take them from here."""

from datetime import timedelta

from apps.core.limits import ADDRESS_LENGTH, VERSION_LENGTH

NAME_LENGTH = 100  # characters of each name of a participant, and of a country; the limits below count characters too
FULL_NAME_LENGTH = 2 * NAME_LENGTH + 1
FOLDED_NAME_LENGTH = 1000
BIOGRAPHY_LENGTH = 100_000
EXCERPT_LENGTH = 100  # of the biography on a card
PROGRAM_LENGTH = 5000  # of an imported performance
STAGE_LENGTH = 100
TITLE_LENGTH = 200  # of a session's title
DESCRIPTION_LENGTH = 5000
VIDEO_LENGTH = ADDRESS_LENGTH  # of a session's video as typed: a pasted iframe is long
PIECE_LENGTH = 200  # of a piece's name
PIECE_NOTE_LENGTH = 2000  # of the words about a piece
SLOT_LABEL_LENGTH = 100
WORKS_TYPED_LENGTH = 4000  # characters of works that are typed into one field
PARTICIPANT_TEXTS = {  # the text fields of a participant's form; below, those of a session and a piece
    "first_name": NAME_LENGTH,
    "second_name": NAME_LENGTH,
    "name_local": FULL_NAME_LENGTH,
    "country": NAME_LENGTH,
    "biography": BIOGRAPHY_LENGTH,
    "avatar_url": ADDRESS_LENGTH,
}
SESSION_TEXTS = {
    "title": TITLE_LENGTH,
    "description": DESCRIPTION_LENGTH,
    "youtube_id": VIDEO_LENGTH,
    "orchestra": TITLE_LENGTH,
    "conductor": FULL_NAME_LENGTH,
}
PIECE_TEXTS = {"category": PIECE_LENGTH, "name": PIECE_LENGTH}
COMPOSER_LENGTH = 100
PIECE_MINUTES_LENGTH = 6  # characters of "16.5"
PIECE_ABOUT = {
    "composer": COMPOSER_LENGTH,
    "minutes": PIECE_MINUTES_LENGTH,
    "score_url": ADDRESS_LENGTH,
    "note": PIECE_NOTE_LENGTH,
}
PIECE_PARTS = {"parts": WORKS_TYPED_LENGTH, "members": WORKS_TYPED_LENGTH}  # one a line
PIANO_TEXTS = {"maker": NAME_LENGTH, "model": NAME_LENGTH}
ORDER_LENGTH = 10_000  # of all ids in a running order
SESSION_VERSION_LENGTH = ORDER_LENGTH + VERSION_LENGTH  # it contains the ids
PARTICIPANTS_SHOWN = 100  # on a page of a list, as the two below
SESSIONS_SHOWN = 50
SCHEDULE_MOST = 100  # sessions of the whole schedule, and its days
CALENDAR_MOST = 300  # events of a calendar file, the newest; 0.15 s of CPU, kept for equal rows
PIECES_SHOWN = 100
COUNTRIES_MOST = 250  # to choose from; more are not imported
PERFORMERS_MOST = 100  # of a session: its page shows all of them, each as a shared part
STAGES_MOST = 30
PIANOS_MOST = 100  # of the list
PROGRAM_MOST = 40  # items of a program
PARTS_MOST = 40  # of a piece
SLOTS_MOST = 20  # of a stage
ALLOWED_MOST = 100  # categories and works that a slot allows
STAGE_MINUTES_MOST = 600  # of a whole program
WORKS_OFFERED = 12  # works that a search offers for a program
PRIZE_LENGTH = 100  # characters of a prize's name
PRIZES_MOST = 30  # of a stage
PRIZES_ADDED = 3  # empty rows of the form
RECIPIENTS_MOST = 20  # of a prize
ADVANCING_MOST = 250  # ticks of one form; a frame has at most 256 fields
APPEARANCES_SHOWN = 50  # of a participant, the newest
APPEARANCES_LISTED = 200  # whose program is imported, at a time; a search finds the others
OPTIONS_MOST = 50  # sessions or participants to choose from at a time; a search finds the others
MOMENTS_APART = 30 * 60  # seconds between the beginnings of two pieces of a program; more is doubtful
UNDO_LIFETIME = timedelta(minutes=10)  # removed performers and replaced programs can be restored for so long
UNDOS_SHOWN = 10  # undos on a page
ORDER_MOST = 1000  # ids that are looked up at once
ORDER_TEXT_LENGTH = 20_000  # characters of a pasted running order
NEXT_PERFORMERS = 21  # participants that a session's form offers to add; four such sessions hold 84
CANDIDATES_MOST = 8  # participants offered for a line that names none

START_NUMBER_MOST = 9999
INTERVAL_MINUTES_MOST = 600  # also of a performance, and of a shift of planned times
SERIES_MOST = 30  # sessions that are made at once
SERIES_LENGTH = 10_000  # characters of the lines of a series
INTERVALS_LENGTH = 1000  # characters of all intervals of a session as typed
BIRTH_YEAR_MINIMUM = 1900
BIRTH_YEAR_BEYOND = 2100  # a constraint cannot know the current year; `validate_birth_year` does
YEAR_MOST = 9999  # accepted by the form; the service checks the possible years
PIECES_LISTED = 500  # in the catalogue; the competition's has about a hundred, and the search finds all
COMPARED_OFFSET_MOST = 600  # tenths of a second by which a performance of a comparison may begin later
