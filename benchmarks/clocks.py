"""What a process has used, read from outside."""

import time
from pathlib import Path


def cpu(pid: int) -> float:
    """CPU seconds of a process, threads that ended included (Django's ASGI handler makes one for each request)."""
    return time.clock_gettime((~pid << 3) | 2)  # Linux: the process's own clock


def resident(pid: int) -> float:
    """Resident memory in KiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4
