"""The database's clock without leaps ahead, for what cannot be taken back: the publication of an article."""

import logging
import time
from datetime import datetime, timedelta

from apps.core.database.fields import database_now

log = logging.getLogger(__name__)
SLACK = timedelta(minutes=1)  # a larger step ahead is a leap
BELIEVED_AFTER = 600.0  # seconds after which a leap counts: the clock was behind, or the machine was paused


class SteadyClock:
    """The database's clock, compared with this process's `time.monotonic`, which no clock setting moves.

    After a leap ahead it goes on as before, until the database's clock is back or BELIEVED_AFTER seconds are over. The
    first reading is believed: a process that starts while the clock is wrong cannot know it.
    """

    def __init__(self) -> None:
        self._begin: datetime | None = None  # the moment at which `time.monotonic` was 0
        self._leapt_at: float | None = None  # `time.monotonic` when a leap was seen first

    def now(self) -> datetime:
        """Return the time. One query."""
        read, elapsed = database_now(), time.monotonic()
        begin = read - timedelta(seconds=elapsed)
        if self._begin is None or begin - self._begin <= SLACK:
            self._begin, self._leapt_at = begin, None
        elif self._leapt_at is None:
            self._leapt_at = elapsed
            log.warning("the database's clock leapt ahead by %s; planned articles wait", begin - self._begin)
        elif elapsed - self._leapt_at >= BELIEVED_AFTER:
            self._begin, self._leapt_at = begin, None
        return self._begin + timedelta(seconds=elapsed)
