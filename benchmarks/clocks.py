"""CPU time and memory of another process."""

import time
from pathlib import Path


def cpu(pid: int) -> float:
    """Return the CPU seconds of a process, including those of ended threads.

    Django's ASGI handler starts a thread for each request.
    """
    return time.clock_gettime((~pid << 3) | 2)  # Linux: the process's own clock


def resident(pid: int) -> float:
    """Return the resident memory in KiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4
