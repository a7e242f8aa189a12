"""The search through the audit and the error log, for administrators.

A search looks through the newest LOOKED rows that an index selects, not through a whole table. If it finds fewer than
a page, the reader continues from where it ended.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Generic, TypeVar

from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Left

from apps.core.audit import AUDIT_COLUMNS, AuditRecord
from apps.core.database.paging import Cursor
from apps.core.models import AuditEntry, ErrorLog
from apps.core.selectors import DETAILS_SHOWN, ERROR_COLUMNS, LoggedError, details_cut

AUDIT, ERROR = "audit", "error"  # the kinds of records, as in cursors; rows of one moment are in this order
LOOKED = 2_000  # rows of each table that one page of a search looks through
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class SearchText:
    """What a search text may mean: itself, actions and kinds of objects by name, accounts, or an object's number."""

    text: str
    actions: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    accounts: tuple[int, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Filter of records. Empty fields do not filter; errors have neither an action nor a subject."""

    kinds: tuple[str, ...] = (AUDIT, ERROR)
    search: SearchText | None = None
    user_id: int | None = None
    action: str = ""
    subject: str = ""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Looked(Generic[Row]):
    """Rows of one table, newest first; `end` is where the search stopped, None if it has looked through everything."""

    rows: tuple[Row, ...] = ()
    end: Cursor | None = None


def audit_look(*, filters: RecordFilter, before: Cursor | None = None, limit: int) -> Looked[AuditRecord]:
    """Return at most `limit` audit entries after the cursor `before`. Two queries."""
    of = {"user_id": filters.user_id, "subject": filters.subject or None, "action": filters.action or None}
    narrow = {name: value for name, value in of.items() if value is not None}
    first = dict([narrow.popitem()]) if narrow else {}  # has an index by time
    newest = _newest(AuditEntry.objects.filter(**first), AUDIT, filters, before)
    found = AuditEntry.objects.filter(_within(newest), **narrow)
    if filters.search is not None:
        found = found.annotate(values_text=_values_text()).filter(_entry_matches(filters.search))
    ended = AuditEntry.objects.filter(
        subject=OuterRef("subject"), subject_id=OuterRef("subject_id"), action__endswith=".delete"
    )
    rows = found.annotate(is_gone=Exists(ended)).order_by("-created_at", "-id")
    return Looked(
        tuple(AuditRecord(*row) for row in rows.values_list(*AUDIT_COLUMNS, "is_gone")[:limit]), _end(newest, AUDIT)
    )


def errors_look(*, filters: RecordFilter, before: Cursor | None = None, limit: int) -> Looked[LoggedError]:
    """Return at most `limit` errors after the cursor `before`; long details are cut. Two queries.

    Filters by action or subject leave no errors.
    """
    if filters.action or filters.subject:
        return Looked()
    newest = _newest(ErrorLog.objects.all(), ERROR, filters, before)
    found = ErrorLog.objects.filter(_within(newest))
    if filters.user_id is not None:
        found = found.filter(user_id=filters.user_id)
    if filters.search is not None:
        found = found.filter(_error_matches(filters.search))
    shown = found.order_by("-created_at", "-id").annotate(shown=Left("error_details", DETAILS_SHOWN + 1))
    rows = shown.values_list(*ERROR_COLUMNS, "shown")[:limit]
    return Looked(tuple(details_cut(LoggedError(*row)) for row in rows), _end(newest, ERROR))


def _newest(
    found: "QuerySet[Any]", kind: str, filters: RecordFilter, before: Cursor | None
) -> Sequence[tuple[datetime, int]]:
    """Return time and id of the newest LOOKED rows after the cursor, within the filter's time."""
    times = {"created_at__gte": filters.since, "created_at__lt": filters.until}
    found = found.filter(**{name: moment for name, moment in times.items() if moment is not None})
    if before is not None:
        found = found.filter(before.after("created_at", kind))
    return list(found.order_by("-created_at", "-id").values_list("created_at", "pk")[:LOOKED])


def _within(newest: Sequence[tuple[datetime, int]]) -> Q:
    """Return the condition of these rows; with their times, so that a scan by time stays within them."""
    ids = Q(pk__in=[pk for _, pk in newest])
    return ids & Q(created_at__range=(newest[-1][0], newest[0][0])) if newest else ids


def _end(newest: Sequence[tuple[datetime, int]], kind: str) -> Cursor | None:
    """Return the cursor of the last row if there may be more, else None."""
    return Cursor(*newest[-1], kind) if len(newest) == LOOKED else None


def _values_text() -> Func:
    """Return the texts and numbers in an entry's details, one a line, without the names of the fields."""
    template = (
        "(SELECT string_agg(each #>> '{}', chr(10)) FROM jsonb_path_query(%(expressions)s, 'strict $.**') AS each"
        " WHERE jsonb_typeof(each) IN ('string', 'number'))"
    )
    return Func(F("details"), template=template, output_field=TextField())


def _entry_matches(search: SearchText) -> Q:
    accounts = Q(user_id__in=search.accounts) | Q(subject="account", subject_id__in=search.accounts)
    named = Q(action__in=search.actions) | Q(subject__in=search.subjects)
    numbered = Q(subject_id=search.number) if search.number is not None else Q()
    return Q(values_text__icontains=search.text) | accounts | named | numbered


def _error_matches(search: SearchText) -> Q:
    within = ("message", "page_url", "error_details", "severity")
    texts = reduce(or_, (Q(**{f"{name}__icontains": search.text}) for name in within))
    numbers = (*search.accounts, *([search.number] if search.number is not None else []))
    return texts | Q(user_id__in=numbers)


def looked_merged(
    audit: Looked[AuditRecord], errors: Looked[LoggedError], *, limit: int
) -> tuple[tuple[AuditRecord | LoggedError, ...], Cursor | None]:
    """Return the first `limit` rows of both, newest first, and the cursor after which the search continues, or None.

    Rows after the earliest end of a search are left for the next page, because the other table may have rows before
    them.
    """
    ends = [end for end in (audit.end, errors.end) if end is not None]
    end = min(ends, key=_place) if ends else None
    found: list[AuditRecord | LoggedError] = [*audit.rows, *errors.rows]
    placed = sorted(found, key=lambda row: _place(cursor_of(row)))
    within = [row for row in placed if end is None or _place(cursor_of(row)) <= _place(end)]
    rows = tuple(within[:limit])
    return rows, cursor_of(rows[-1]) if len(within) > limit else end


def cursor_of(row: AuditRecord | LoggedError) -> Cursor:
    """Return the cursor of a record."""
    return Cursor(row.created_at, row.id, AUDIT if isinstance(row, AuditRecord) else ERROR)


def _place(cursor: Cursor) -> tuple[Any, str, int]:
    """Return the sort key of the list's order."""
    return datetime.max.replace(tzinfo=cursor.at.tzinfo) - cursor.at, cursor.kind, -cursor.id
