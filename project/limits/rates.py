"""The limits of sockets, frames, events and accounts, and the websocket close codes.

The limits of an address carry an audience of a thousand behind one address (docs/security.md, Limits). Addresses in
VENUE_ADDRESSES get ten times these limits.
"""

from apps.core.buckets import Rate
from apps.live.limits import TAPS_AT_ONCE

FRAME_BYTES = 65_536  # one incoming message; the longest text of this site is 60 KB of JSON
FRAMES = Rate(40, 10)  # of one socket; each fragment of a message counts too; connection.js stays below
FLOOD_PAUSE = 5  # seconds after which a socket that exceeded FRAMES may reconnect
HEARTBEATS = Rate(3, 1 / 5)  # in addition to FRAMES; the client sends one heartbeat every 25 s
PINGS = Rate(4, 2)  # websocket ping frames, and pong frames that answer the server's pings
PING_EVERY = 20.0  # seconds between two pings; longer than PING_ANSWER, since a new ping replaces the one before
PING_ANSWER = 15.0  # seconds; a dead connection is detected within 40
CLOSE_ANSWER = 5.0  # seconds that a browser has to answer the close frame of a restart
WAITING_IN = 64  # frames queued for one consumer
WAITING_OUT_KERNEL = 1 << 17  # bytes of one socket's kernel send buffer (Linux doubles it); the default grows to 4 MB
WAITING_OUT_HARD = 1 << 20  # bytes of backpressure at which a slow reader is cut
WAITING_OUT_SOFT = 1 << 16  # bytes of backpressure that a reader may have for PATIENCE
PATIENCE = 10.0  # seconds

COMMANDS = Rate(10, 1)  # the same command or page event, of one socket
COMMANDS_ADMIN = Rate(40, 5)  # the same of an administrator, who moderates ratings by keyboard
COMMANDS_ACCOUNT = Rate(20, 2)  # all commands of one account without administrator rights
TAPS = Rate(TAPS_AT_ONCE, 5)  # live reactions of one account

SEARCHES = Rate(15, 15 / 60)  # of one window; the next search waits
SEARCHES_SIGNED_IN = Rate(30, 30 / 60)  # of one window with a signed-in viewer
SEARCHES_ADDRESS = Rate(600, 600 / 60)  # of one address, over sockets and as page views
SUGGESTION = 0.25  # of a search of an address: a query while typing
PAGES = Rate(600, 60)  # of one address, over sockets; nginx has the same limit for page views
POLLS = Rate(1_000, 30)  # of one address, by pages without a socket; each answer names the time of the next poll
POLL_EVERY = 12.0  # seconds between two polls of a page; polling.js has the same number
POLL_EVERY_MOST = 120.0  # seconds, however many pages of an address poll

SOCKETS_PER_ACCOUNT = 20
SOCKETS_PER_ADDRESS = 300  # pages beyond it poll
HANDSHAKES = Rate(1_000, 40)  # of one address; pages beyond it poll

FIRST_RENDERS_PER_CORE = 2
FIRST_RENDER_WAIT = 20.0  # seconds; a socket that would wait longer gets close code BUSY and a time to reconnect
COME_BACK_MOST = 10  # seconds; an upper bound, so that an idle process gets its viewers back soon

BODY_BYTES = 65_536  # of a posted body; nginx has the same numbers
LARGE_BODIES = {"/long-text": 1 << 20, "/participant-file": 5_200 << 10}  # of a browser with a session, by path
BODY_REFUSAL_LINGER = 2.0  # seconds for which the rest of a refused body is read and dropped
BODY_STALLED = 60.0  # seconds after which a browser that reads nothing of a streamed response is cut

FAULT_BYTES = 8_192  # of one error report from a browser
FAULTS = Rate(10, 1 / 60)  # error reports of one account, or of one address without an account
FAULTS_TOGETHER = Rate(100, 1 / 6)  # of all accounts, and of all anonymous visitors: one bug affects every browser

LOG_ROUTE = 300  # characters of a path in a log line
LOG_MESSAGE = 2_000  # characters of a log message, and of each line of a traceback
LOG_DETAILS = 65_536  # characters of a traceback, or of the stacks of all threads

SESSION_CHECK_EVERY = 30.0  # seconds between two checks of the sessions and accounts of open sockets
SLIDE_EVERY = 10  # checks after which the sessions of open windows are extended
PAGE_WAIT = 5.0  # seconds for one page load, including the waits for a thread and for a connection
PAGE_CACHE_PAGES = 500  # public pages in the page cache of one process
PAGE_CACHE_BYTES = 16 << 20  # of HTML in the page cache
PART_THREADS = 4  # threads and connections for reads of shared parts, apart from those of pages and writes
PART_LOCK_WAIT = 250  # milliseconds that the read of a part waits for a lock; it also delays the parts behind it
PART_CHECK = 40.0  # seconds after which every shown part is read again, even without a notification of the bus

DATABASE_ASKED_EVERY = 1.0  # seconds between two probes of the database
DATABASE_PATIENCE = 3.0  # seconds that the database has to answer a probe or to accept a connection
DISK_FULL_FOR = 60.0  # seconds for which /readyz reports `disk-full` after a refused write


FAILED = 1011  # an error in the server
RESTART = 1012  # the process stops, or the rights of the account have changed
BUSY = 4002  # the reason names the seconds until the browser may reconnect: `retry=37`
NEW_VERSION = 4003  # frames of another protocol version: the browser reloads its page when it suits the user
FLOOD = 4005  # too many frames of one window; the reason names the seconds, as with BUSY
CROWDED = 4006  # too many sockets or handshakes of one address: the page polls; the reason names the seconds
STOP = 4500
BAD_FRAME = 4500
SIGNED_OUT = 4503
TOO_MANY = 4504  # too many windows of one account
OURS = frozenset({FAILED, RESTART, BUSY, NEW_VERSION, FLOOD, CROWDED, BAD_FRAME, SIGNED_OUT, TOO_MANY})
