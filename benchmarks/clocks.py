"""CPU time and memory of another process."""

import time
from pathlib import Path


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process, including those of ended threads.

    Django's ASGI handler starts a thread for each request.
    """
    return time.clock_gettime((~pid << 3) | 2)  # Linux: the process's own clock


def loop_cpu(pid: int) -> float:
    """Return the CPU seconds of a process's first thread. The site's event loop runs there, with all sockets."""
    return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9


def resident(pid: int) -> float:
    """Return the resident memory in KiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4
