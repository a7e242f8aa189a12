"""The search through the audit and the error log, for administrators, with the names of accounts."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.accounts.permissions import is_administrator
from apps.accounts.selectors.people import NUMBER, AuditLine, audit_lines
from apps.core.audit import AuditRecord
from apps.core.database.paging import Cursor
from apps.core.limits import ID_DIGITS
from apps.core.permissions import require
from apps.core.records import (
    AUDIT,
    ERROR,
    Looked,
    RecordFilter,
    SearchText,
    audit_look,
    errors_look,
    looked_merged,
)
from apps.core.selectors import LoggedError

RECORDS_PAGE = 30  # records
RECORD_KINDS = (AUDIT, ERROR)
ACCOUNTS_MATCHED = 50  # accounts whose name begins with the search text, at most
EVERY_RECORD = RecordFilter()


@dataclass(frozen=True, slots=True)
class FoundRecords:
    """One page of a search.

    `older` is the cursor after which the search continues, empty at its end. `looked_until` is the time down to which
    all records were looked through, if the search stopped before the page was full.
    """

    rows: tuple[AuditLine | LoggedError, ...] = ()
    start: str = ""
    older: str = ""
    looked_until: datetime | None = None


def search_text(text: str, *, actions: Collection[str] = (), subjects: Collection[str] = ()) -> SearchText | None:
    """Return what a text may mean, None for an empty one; `actions` and `subjects` are those that it names.

    One query.
    """
    if not text:
        return None
    digits = text.removeprefix(NUMBER)
    is_number = text.startswith(NUMBER) and digits.isascii() and digits.isdigit() and len(digits) <= ID_DIGITS
    # in no order, which would read all accounts by name
    accounts = tuple(User.objects.filter(username__istartswith=text).values_list("pk", flat=True)[:ACCOUNTS_MATCHED])
    return SearchText(text, tuple(actions), tuple(subjects), accounts, int(digits) if is_number else None)


def records_search(
    *, actor: Actor, filters: RecordFilter = EVERY_RECORD, before: str = "", limit: int = RECORDS_PAGE
) -> FoundRecords:
    """Return one page of the audit and the error log, newest first, after the cursor `before`. Six queries at most.

    A malformed cursor is the first page. Raises PermissionDenied.
    """
    require(is_administrator(actor), "Only administrators read the audit and the error log.")
    start = Cursor.read(before, RECORD_KINDS)
    audit: Looked[AuditRecord] = Looked()
    errors: Looked[LoggedError] = Looked()
    if AUDIT in filters.kinds:
        audit = audit_look(filters=filters, before=start, limit=limit + 1)
    if ERROR in filters.kinds:
        errors = errors_look(filters=filters, before=start, limit=limit + 1)
    found, end = looked_merged(audit, errors, limit=limit)
    is_short = end is not None and len(found) < limit
    return FoundRecords(
        _with_names(found), str(start or ""), str(end or ""), end.at if end is not None and is_short else None
    )


def _with_names(found: Sequence[AuditRecord | LoggedError]) -> tuple[AuditLine | LoggedError, ...]:
    """Return the records with audit entries as lines, in their order. One query."""
    lines = {line.id: line for line in audit_lines([each for each in found if isinstance(each, AuditRecord)])}
    return tuple(lines[each.id] if isinstance(each, AuditRecord) else each for each in found)
