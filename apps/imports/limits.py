"""All numbers of imports."""

from apps.core.limits import DAY

FILE_BYTES = 5 * 1024 * 1024  # size of a participant file
FILE_UNPACKED_BYTES = 50 * 1024 * 1024  # of all parts of a workbook
FILE_TAGS = 1_500_000  # XML tags of a workbook: four for a cell, so that 10,000 rows of 30 columns fit
FILE_PARTS = 1_000  # parts of a workbook
SHEET_LENGTH = 40  # characters of a sheet's name
SHEETS_NAMED = 50  # sheets of a workbook that are named
FILE_ROWS = 10_000
FILE_SECONDS = 5.0  # CPU time for parsing and comparing the rows of one file, while a page waits
READER_SECONDS = 5  # CPU time of the process that reads a workbook
READER_MEMORY = 256 * 1024 * 1024  # bytes of its address space
READER_WAIT = 20.0  # seconds for its turn, and then for its answer
HEADER_LINES = 10  # filled lines of a file that may be its header
FILE_LINE = 20_000  # characters of a line in a participant file
FILE_NAME_LENGTH = 200
FILE_PIECES = 5  # pieces of one participant
PIECE_CHOICES = 40  # pieces that an uncertain one of a file is chosen from
ROWS_SHOWN = 50  # rows on a page
FILE_LIFETIME = 30 * DAY  # then content and rows of files are deleted
PROGRAM_LENGTH = 100_000  # characters of pasted programs: 84 performers with a dozen items each need 60,000
PROGRAM_LINES = 4000
PROGRAM_BLOCKS = 250  # performers in them; a frame has at most 256 fields
PROGRAM_NAMED = 100  # lines of them with a field for another piece
BATCH_LENGTH = 60_000  # characters in `program_batches`, which only the version before writes
LABEL_LENGTH = 600  # of a performer as chosen by hand: name, session and numbers
ALL_SESSIONS = "all"  # in place of a session's id
PERFORMERS_READ = 1000  # whose names are compared with headings; with more a session is chosen first
LINE_REFERENCES = 100  # pieces that are read from one line; what follows them is left over
LINES_NAMED = 20  # lines without a piece that an answer names by number
PROGRAM_PIECES = 200  # pieces that a line offers, or a row of a participants' file names
STAGE_MOST = SESSION_MOST = 2**31 - 1  # of ids
JURY_LINES = 16_000  # lines of a jury's file: as many as a sheet has marks at most
JURY_LENGTH = 1_000_000  # characters of such a file
JURY_CHOSEN = 100  # participants and jurors that one form chooses by hand
JURY_SHOWN = 200  # faults and changes that the page lists
