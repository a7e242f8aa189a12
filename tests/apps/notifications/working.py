"""The worker's function for other processes (`tests/apps/processes.py`)."""

from apps.notifications.services.announcements import announcements_work


def work(_number: int) -> float | None:
    """Create the notifications that are due; return the seconds until the next ones."""
    left = announcements_work()
    return left.total_seconds() if left else None
