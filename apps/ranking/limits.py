"""Every number of the ranking that is not the method's own (`method.py`)."""

from apps.core.limits import DAY, HOUR, MINUTE

EVERY = 30.0  # seconds between the beginnings of two computations
LONGEST = 20.0  # seconds that one may take
AGAIN = 300.0  # seconds after a failure
SOON = 2.0  # seconds until a stage is tried again that another process was computing
NEW_FOR = 1 * DAY  # an account younger than this does not count yet
UNIFORM_FROM = 5  # the same mark for so many performances, and no other, does not count
BURST_ABOVE = 30  # accounts that give one performance marks in the same outer fifth
BURST_WITHIN = 10 * MINUTE
EVENING_LASTS = 6 * HOUR  # after a session's begin, when many at once are its audience
TRIED_FROM = 6  # performances: whoever marked so many is in no burst
OUTER_FIFTHS = (5, 21)  # the highest mark of the lowest fifth of the scale, and the lowest of the highest
REASON_LENGTH = 300  # characters of why an account was let out
RANKED_SHOWN = 100  # performances on a page of a ranking
QUARANTINE_SHOWN = 20  # accounts on a page of the list that administrators see
NAMES_MOST = 10  # listeners that a question about their marks names
