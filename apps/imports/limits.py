"""Every number of imports, in one place."""

from apps.core.limits import DAY

FILE_BYTES = 5 * 1024 * 1024  # of a participant file
FILE_ROWS = 10_000
FILE_SECONDS = 5.0  # of computing that reading one may take; a page waits for it
FILE_LINE = 20_000  # characters of one of its lines
FILE_NAME_LENGTH = 200
FILE_PIECES = 5  # of a participant
ROWS_SHOWN = 50  # of a file on one page
FILE_LIFETIME = 30 * DAY  # after that, files and their rows are forgotten
PROGRAM_LENGTH = 20_000  # characters of a pasted program
PROGRAM_LINES = 200
PROGRAM_PIECES = 200  # that one program gets
