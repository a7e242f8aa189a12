"""The bounds of what administrators write about the competition, for forms and commands."""

TITLE_LENGTH, DESCRIPTION_LENGTH = 200, 5000  # characters of a session's
VIDEO_LENGTH = 300  # of the address of a video
ORDER_LENGTH = 10_000  # of all ids of an order of playing
NAME_LENGTH, BIOGRAPHY_LENGTH = 100, 100_000  # of a participant's
PIECE_LENGTH = 200  # of a piece's name
VERSION_LENGTH = 400  # of what an editor has read
YEAR_MOST = 9999  # which years are possible says the service
