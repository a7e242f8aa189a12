"""The limits of sockets, frames, events and accounts, in one place, and the token bucket that counts against a rate.

Addresses in VENUE_ADDRESSES (a hall is one address) get ten times what others get.
"""

from apps.core.buckets import Rate
from apps.live.limits import TAPS_AT_ONCE

FRAME_BYTES = 65_536  # one message in; our longest text is 60 KB of JSON
FRAMES = Rate(40, 10)  # of one socket; a message in pieces counts as often; the client's connection.js stays below
FLOOD_PAUSE = 5  # seconds after which a socket that sent more may come back
HEARTBEATS = Rate(3, 1 / 5)  # beside them; the client sends one in 25 s
PINGS = Rate(4, 2)  # of the protocol, and answers to ours
PING_EVERY = 20.0  # seconds between two; an answer must take less, since the second forgets what the first waits for
PING_ANSWER = 15.0  # seconds; whoever is gone is found within 40
CLOSE_ANSWER = 5.0  # seconds that a browser has to answer when its process restarts
WAITING_IN = 64  # frames that may wait for a consumer
WAITING_OUT_KERNEL = 1 << 17  # bytes that the system holds for one reader (Linux takes double); it would grow to 4 MB
WAITING_OUT_HARD = 1 << 20  # bytes that may wait for one reader
WAITING_OUT_SOFT = 1 << 16  # bytes that may wait for as long as PATIENCE
PATIENCE = 10.0  # seconds

COMMANDS = Rate(10, 1)  # the same command, or page event, of one socket
COMMANDS_ADMIN = Rate(40, 5)  # the same, of an administrator, who decides about ratings by keyboard
COMMANDS_ACCOUNT = Rate(20, 2)  # of one account that is no administrator's
TAPS = Rate(TAPS_AT_ONCE, 5)  # live reactions of one account

SEARCHES = Rate(15, 15 / 60)  # of one window; the next one waits
SEARCHES_SIGNED_IN = Rate(30, 30 / 60)  # the same, of somebody who is signed in
SEARCHES_ADDRESS = Rate(150, 150 / 60)  # of one address, over sockets and as pages
PAGES = Rate(200, 20)  # of one address, over sockets; nginx has the same numbers for whole pages

SOCKETS_PER_ACCOUNT = 20
SOCKETS_PER_ADDRESS = 300
HANDSHAKES = Rate(200, 20)  # of one address

FIRST_RENDERS_PER_CORE = 2
FIRST_RENDER_WAIT = 20.0  # seconds; whoever would wait longer is told when to come back
COME_BACK_MOST = 10  # seconds, then at the latest: a process that is idle again has not long to wait for its viewers

BODY_BYTES = 65_536  # of a posted body; nginx has the same numbers
LARGE_BODIES = {"/long-text": 1 << 20, "/participant-file": 5_200 << 10}  # the same, of who has a session, by address
BODY_REFUSAL_LINGER = 2.0  # seconds for which a body that was refused is still taken and dropped

FAULT_BYTES = 8_192  # of a report of an error in somebody's browser
FAULTS = Rate(10, 1 / 60)  # such reports from one account, or from one address of strangers
FAULTS_TOGETHER = Rate(100, 1 / 6)  # of all who are signed in, and of all strangers: one fault has every browser report

LOG_ROUTE = 300  # characters of an address in a line of the log
LOG_MESSAGE = 2_000  # of its message, and of a line of a traceback
LOG_DETAILS = 65_536  # of a traceback, or of the stacks of all threads

SESSION_CHECK_EVERY = 30.0  # seconds between looks at sessions and accounts of open sockets
SLIDE_EVERY = 10  # looks after which the sessions of open windows are noted as in use
PAGE_WAIT = 5.0  # seconds that a page's load may take, with its wait for a thread and for a connection
PAGE_CACHE_PAGES = 500  # public pages that a process keeps
PAGE_CACHE_BYTES = 16 << 20  # of their HTML
PART_THREADS = 4  # and connections, of which pages and writes have none
PART_LOCK_WAIT = 250  # milliseconds that the read of a part may wait for a lock; the parts behind it wait as well
PART_CHECK = 40.0  # seconds after which a shown part is read again whatever the bus said

DATABASE_ASKED_EVERY = 1.0  # seconds between two questions whether the database is there
DATABASE_PATIENCE = 3.0  # seconds that it may take to answer one, or to be connected to
DISK_FULL_FOR = 60.0  # seconds for which its disk is called full after it has refused a write


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
