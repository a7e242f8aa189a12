"""Every number of imports, in one place."""

PROGRAM_LENGTH = 20_000  # characters of a pasted program
PROGRAM_LINES = 200
PROGRAM_PIECES = 200  # that one program gets
