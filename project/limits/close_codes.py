"""Close codes of our sockets: below STOP the browser connects again by itself, from there on it says why not."""

FAILED = 1011  # a fault of ours
RESTART = 1012  # the process stops, or the account may do other things now
BUSY = 4002  # the reason names the seconds after which to come back: `retry=37`
NEW_VERSION = 4003  # frames of another version: the browser loads its page anew, in its own time
FLOOD = 4005  # more than one window may send; the reason names the seconds as with BUSY
STOP = 4500
BAD_FRAME = 4500
SIGNED_OUT = 4503
TOO_MANY = 4504  # windows of one account or address
OURS = frozenset({FAILED, RESTART, BUSY, NEW_VERSION, FLOOD, BAD_FRAME, SIGNED_OUT, TOO_MANY})
