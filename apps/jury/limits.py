"""Limits of the jury's sheets."""

JUROR_LENGTH = 100  # characters of a name
JURORS = 40  # of one sheet
EDITION_LENGTH = 40
FILE_NAME_LENGTH = 200
SHEET_PARTICIPANTS = 400
