"""All numbers of the ranking except those of the method itself (`method.py`, `method2.py`, `suspicion.py`)."""

from apps.core.limits import DAY, HOUR, MINUTE

EVERY = 30.0  # seconds between the starts of two computations
CPU_LEAST, CPU_A_MARK = 60.0, 0.00025  # seconds of CPU that a computation may use, and for each mark of its stage
COUNTED_LONG = 100_000  # marks of a stage above which the page says that it is being counted
LONGEST = 1_800.0  # seconds that one computation may take, CPU or not
AGAIN = 300.0  # seconds until the next attempt after a failure
SOON = 2.0  # seconds until the next attempt while another process computes the stage
NEW_FOR = 1 * DAY  # marks of younger accounts do not count yet
EVENING_LASTS = 6 * HOUR  # after a session's start: a mark is not late
LAST_HOUR = 1 * HOUR  # of a performance, up to its newest mark
NIGHT_ENDS = 5 * HOUR  # time of the day at the venue until which a mark belongs to the day before
REASON_LENGTH = 300  # characters of the reason for a decision
RANKED_SHOWN = 100  # performances on a page of a ranking
UNUSUAL_SHOWN = 20  # accounts on a page of the unusual marks
LATE_SHOWN = 10  # performances with the largest share of late marks, at the unusual marks
INTERVALS_KEPT = 100  # the newest intervals of a stage, each with at most one run that is kept for it
NAMES_MOST = 10  # raters that a question about a program change names

# Rules of version 1, for the rankings that it closed
UNIFORM_FROM = 5  # performances with one and the same mark from which an account's marks do not count
BURST_ABOVE = 30  # accounts with outer marks in the same fifth, for one performance, within BURST_WITHIN
BURST_WITHIN = 10 * MINUTE
TRIED_FROM = 6  # an account with marks for so many performances is in no burst
OUTER_FIFTHS = (5, 21)  # the highest mark of the lowest fifth of the scale, and the lowest mark of the highest fifth
