"""Reads of the core: the error log."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import F, Q
from django.db.models.functions import Left

from apps.core.models import ErrorLog

ERRORS_PAGE = 25  # entries
DETAILS_SHOWN = 4000  # characters of an error's details on a screen
ERROR_COLUMNS = ("id", "created_at", "severity", "message", "page_url", "user_id", "user_agent", "times")


@dataclass(frozen=True, slots=True)
class LoggedError:
    """One error with its context; `times` counts equal ones of a minute.

    `error_details` is JSON text; with `is_cut` only its beginning.
    """

    id: int
    created_at: datetime
    severity: str
    message: str
    page_url: str
    user_id: int | None
    user_agent: str
    times: int
    error_details: str | None
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class ErrorFilter:
    """Filter by severity, by a text in message, address or details, and by time. Empty fields do not filter."""

    severity: str = ""
    text: str = ""
    since: datetime | None = None
    until: datetime | None = None


NO_FILTER = ErrorFilter()


def error_list(
    *, filters: ErrorFilter = NO_FILTER, before_id: int | None = None, limit: int = ERRORS_PAGE, is_cut: bool = False
) -> tuple[LoggedError, ...]:
    """Return errors, newest first; with `before_id` only errors before that id. One query.

    With `is_cut` long details are cut to DETAILS_SHOWN characters. For administrators and the terminal; the caller
    checks the permission.
    """
    conditions = {
        "severity": filters.severity or None,
        "created_at__gte": filters.since,
        "created_at__lt": filters.until,
        "id__lt": before_id,
    }
    found = ErrorLog.objects.filter(**{name: value for name, value in conditions.items() if value is not None})
    if filters.text:
        within = ("message", "page_url", "error_details")
        found = found.filter(reduce(or_, (Q(**{f"{name}__icontains": filters.text}) for name in within)))
    shown = Left("error_details", DETAILS_SHOWN + 1) if is_cut else F("error_details")
    rows = found.order_by("-id").annotate(shown=shown).values_list(*ERROR_COLUMNS, "shown")[:limit]
    if not is_cut:
        return tuple(LoggedError(*row) for row in rows)
    return tuple(details_cut(LoggedError(*row)) for row in rows)


def details_cut(logged: LoggedError) -> LoggedError:
    """Return the error with its details cut to DETAILS_SHOWN characters."""
    details = logged.error_details or ""
    is_cut = len(details) > DETAILS_SHOWN
    return replace(logged, error_details=details[:DETAILS_SHOWN], is_cut=True) if is_cut else logged
