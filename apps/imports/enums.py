"""Fixed sets of words of imports."""

from enum import StrEnum


class LineStatus(StrEnum):
    """What a line of a pasted program became."""

    MATCHED = "matched"
    EXPANDED = "expanded"  # into several pieces
    AMBIGUOUS = "ambiguous"  # fits several
    CONTRADICTORY = "contradictory"  # its key does not fit opus and number
    UNKNOWN = "unknown"
    NOISE = "noise"  # a heading, a bare time


class ProgramStep(StrEnum):
    """What a button of the program form does with the text."""

    READ = "read"
    ASSIGN = "assign"
