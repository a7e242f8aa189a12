"""Waiting for mails, which threads of the outbox send."""

import time
from threading import Barrier, BrokenBarrierError

from apps.accounts import mail


def mails_settle(seconds: float = 10.0) -> bool:
    """Wait until this process has tried every mail that it knows of; returns whether it was in time."""
    executor, until = mail._executor, time.monotonic() + seconds
    left = [len(executor._threads)]
    while left[-1]:
        # all threads of the outbox meet here, so none of them is at a mail while it is looked what still waits
        look = lambda: left.append(executor._work_queue.qsize())  # noqa: E731
        meeting = Barrier(mail.THREADS + 1, look, max(0.0, until - time.monotonic()))
        for _ in range(mail.THREADS):
            executor.submit(meeting.wait)
        try:
            meeting.wait()
        except BrokenBarrierError:
            return False
    return True
