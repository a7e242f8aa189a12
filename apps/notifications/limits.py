"""Limits of notifications."""

from datetime import timedelta

from apps.core.limits import HOUR, RateLimit

HOLD = timedelta(seconds=10)  # from a change until it is announced, since the live control has an undo; also in the SQL
SOON_BEFORE = timedelta(minutes=15)  # of a planned start
SOON_PLACES = 2  # performers before one's own place in the running order
NOW_LASTS = timedelta(minutes=10)  # after which a notification of now or soon is dropped
LASTS = timedelta(days=2)  # the other notifications
KEPT = timedelta(days=30)  # a notification's row
ANNOUNCEMENT_KEPT = timedelta(days=1)
BATCH = 1_000  # notifications that one transaction creates
LEASE = timedelta(seconds=60)  # after which another process takes over what a crashed one had taken
TRIES_MOST = 5  # of an announcement, before it is given up
PAUSE = timedelta(seconds=5)  # after the first failure; each further one doubles it
TAKEN_MOST = timedelta(minutes=10)  # an announcement is taken for less; a later end was stored by a wrong clock
ENDPOINT_LENGTH = 1_000  # characters of a push service's address
KEY_LENGTH = 200  # characters of a browser's key, in base64
SUBSCRIPTIONS_MOST = 20  # browsers of one account
SUBSCRIPTIONS_CHANGED = RateLimit("push_subscriptions", amount=30, seconds=HOUR)  # by an account
PUSHES_TAKEN = 64  # notifications that one transaction takes to push
PUSHES_SEEN = 5_000  # of those that are due longest, among which hosts and members take turns
PUSHES_AT_ONCE = 16  # exchanges with push services
PUSHES_AT_HOST = 8  # of them with one push service
PUSH_TIMEOUT = 5.0  # seconds to connect, and between two parts of an answer
PUSH_EXCHANGE = 15.0  # seconds of one exchange, whatever the push service sends
PUSH_PACE = 0.2  # seconds between two transactions that take notifications
PUSH_ROUND = 10.0  # seconds after which a sender takes no more notifications
PUSH_BEGINS = 40.0  # seconds of a lease after which no request begins
PUSH_AGAIN = tuple(timedelta(seconds=seconds) for seconds in (5, 30, 120))  # before each retry; then it is given up.
# Also the pauses of a push service that does not answer.
PUSH_PAUSE = timedelta(seconds=60)  # of a push service that asks for one without a time
PUSH_PAUSE_MOST = timedelta(hours=1)
TIME_ZONE_LENGTH = 64
OCCASION_LENGTH = 60
NOTICES_AT_ONCE = 200  # members who are mailed before the worker looks at its other work
FORGED_UNSUBSCRIBES = RateLimit("forged-unsubscribes", 30, HOUR)  # of one client; true links are never refused
