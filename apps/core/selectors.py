"""Reads of the core: the error log."""

from dataclasses import dataclass
from datetime import datetime

from .models import ErrorLog

PAGE = 50  # entries
_COLUMNS = ("id", "created_at", "severity", "message", "page_url", "user_id", "user_agent", "error_details")


@dataclass(frozen=True, slots=True)
class LoggedError:
    """One error with its circumstances; `error_details` is JSON text."""

    id: int
    created_at: datetime
    severity: str
    message: str
    page_url: str
    user_id: int | None
    user_agent: str
    error_details: str | None


def error_list(*, severity: str = "", before_id: int | None = None, limit: int = PAGE) -> tuple[LoggedError, ...]:
    """Return errors, the newest first, those before the error `before_id` when it is given. One query.

    For administrators and the terminal; the caller checks the permission.
    """
    found = ErrorLog.objects.order_by("-id")
    if severity:
        found = found.filter(severity=severity)
    if before_id is not None:
        found = found.filter(id__lt=before_id)
    return tuple(LoggedError(*row) for row in found.values_list(*_COLUMNS)[:limit])
