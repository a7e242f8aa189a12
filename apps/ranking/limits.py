"""All numbers of the ranking except those of the method itself (`method.py`)."""

from apps.core.limits import DAY, HOUR, MINUTE

EVERY = 30.0  # seconds between the starts of two computations
LONGEST = 20.0  # seconds that one computation may take
AGAIN = 300.0  # seconds until the next attempt after a failure
SOON = 2.0  # seconds until the next attempt while another process computes the stage
NEW_FOR = 1 * DAY  # marks of younger accounts do not count yet
UNIFORM_FROM = 5  # performances with one and the same mark from which an account's marks do not count
BURST_ABOVE = 30  # accounts with outer marks in the same fifth, for one performance, within BURST_WITHIN
BURST_WITHIN = 10 * MINUTE
EVENING_LASTS = 6 * HOUR  # after a session's start; many raters at once are normal then
TRIED_FROM = 6  # an account with marks for so many performances is in no burst
OUTER_FIFTHS = (5, 21)  # the highest mark of the lowest fifth of the scale, and the lowest mark of the highest fifth
REASON_LENGTH = 300  # characters of the reason for a release
RANKED_SHOWN = 100  # performances on a page of a ranking
QUARANTINE_SHOWN = 20  # accounts on a page of the quarantine
NAMES_MOST = 10  # raters that a question about a program change names
