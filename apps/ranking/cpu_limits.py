"""A limit of the CPU time of a computation: a loaded machine makes it wait, and waiting is no failure."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

REPEAT = 1.0  # seconds of CPU until the next signal, should other code have caught the first exception


class CpuLimitReached(Exception):
    """A computation used more CPU time than it may."""


@contextmanager
def cpu_limited(seconds: float) -> Iterator[None]:
    """Raise CpuLimitReached in this context once the process has used so many more seconds of CPU.

    A timer and no resource limit: the kernel compares a resource limit with the ticks that it has counted since the
    process began, and they drift apart from `time.process_time()`, by seconds in a process that ran for minutes.
    For the main thread of a process without another such limit, such as that of a command.
    """

    def stop(*_: object) -> None:
        message = f"more than {seconds:.0f} s of CPU"
        raise CpuLimitReached(message)

    handler = signal.signal(signal.SIGPROF, stop)
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds, REPEAT)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
