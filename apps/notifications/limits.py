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
ENDPOINT_LENGTH = 1_000  # characters of a push service's address
KEY_LENGTH = 200  # characters of a browser's key, in base64
SUBSCRIPTIONS_MOST = 20  # browsers of one account
TIME_ZONE_LENGTH = 64
OCCASION_LENGTH = 60
NOTICES_AT_ONCE = 200  # members who are mailed before the worker looks at its other work
FORGED_UNSUBSCRIBES = RateLimit("forged-unsubscribes", 30, HOUR)  # of one client; true links are never refused
