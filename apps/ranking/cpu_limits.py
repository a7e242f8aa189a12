"""A limit of the CPU time of a computation: a loaded machine makes it wait, and waiting is no failure."""

import math
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager


class CpuLimitReached(Exception):
    """A computation used more CPU time than it may."""


@contextmanager
def cpu_limited(seconds: float) -> Iterator[None]:
    """Raise CpuLimitReached in this context once the process has used so many more seconds of CPU, rounded up.

    For the main thread of a process without another such limit, such as that of a command.
    """

    def stop(*_: object) -> None:
        message = f"more than {seconds:.0f} s of CPU"
        raise CpuLimitReached(message)

    before = resource.getrlimit(resource.RLIMIT_CPU)
    handler = signal.signal(signal.SIGXCPU, stop)
    try:
        wanted = math.ceil(time.process_time() + seconds)
        hard = before[1]
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, before)
        signal.signal(signal.SIGXCPU, handler)
