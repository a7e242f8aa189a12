"""Limits of the jury's sheets and rules."""

JUROR_LENGTH = 100  # characters of a name
JURORS = 40  # of one sheet
EDITION_LENGTH = 40
FILE_NAME_LENGTH = 200
SHEET_PARTICIPANTS = 400
STAGES = 6  # of a rule
SCALE_HIGHEST = 100
DECIMALS = 2
LEFT_OUT = 5  # marks at each end
WEIGHT_HIGHEST = 100
NUMBER_LENGTH = 60  # characters of a field of a rule
RULE_LENGTH = 4_000  # characters of all fields of a rule
RULE_CHANGES_SHOWN = 20  # performers whose figures another rule changes, of one sheet
