"""Wait for mails, which the threads of the outbox send."""

import time
from threading import Barrier, BrokenBarrierError

from apps.accounts import mail


def mails_settle(seconds: float = 10.0) -> bool:
    """Wait until this process has tried to send every queued mail. Return False after `seconds`."""
    executor, until = mail._executor, time.monotonic() + seconds
    left = [len(executor._threads)]
    while left[-1]:
        # All outbox threads wait at the barrier, so none of them sends a mail while the queue's length is read.
        look = lambda: left.append(executor._work_queue.qsize())  # noqa: E731
        meeting = Barrier(mail.THREADS + 1, look, max(0.0, until - time.monotonic()))
        for _ in range(mail.THREADS):
            executor.submit(meeting.wait)
        try:
            meeting.wait()
        except BrokenBarrierError:
            return False
    return True
