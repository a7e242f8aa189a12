"""The error log as administrators read it."""

from apps.accounts.actors import Actor
from apps.accounts.permissions import is_administrator
from apps.core.database.paging import Cursor
from apps.core.permissions import require
from apps.core.selectors import NO_FILTER, PAGE, ErrorFilter, LoggedError, error_list


def errors_read(
    *, actor: Actor, filters: ErrorFilter = NO_FILTER, before: Cursor | None = None, limit: int = PAGE
) -> tuple[LoggedError, ...]:
    """Return errors, the newest first, those after `before` when it is given; long details are cut. Two queries.

    Raises PermissionDenied.
    """
    require(is_administrator(actor), "Only administrators read the error log.")
    return error_list(filters=filters, before_id=before.id if before else None, limit=limit, is_cut=True)
