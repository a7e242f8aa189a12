"""The audit log: who changed what, written in the transaction of the change."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from apps.core.database.paging import Cursor
from apps.core.models import AuditEntry

AUDIT_PAGE = 50  # entries
LONGEST = 300  # characters of a text that an entry keeps
AUDIT_COLUMNS = ("id", "user_id", "action", "subject", "subject_id", "details", "created_at")


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One entry, as administrators read it."""

    id: int
    user_id: int | None
    action: str
    subject: str
    subject_id: int | None
    details: Mapping[str, Any]
    created_at: datetime
    is_gone: bool = False  # whether the subject has been deleted, by this entry or another


def audit_record(
    *,
    user_id: int | None,
    action: str,
    subject: str,
    subject_id: int | None = None,
    details: Mapping[str, Any] | None = None,
) -> int:
    """Store an entry and return its id. Raises TransactionManagementError outside a transaction.

    `user_id` is None for the terminal. `details` contain no names and no texts of accounts. They may contain content of
    the site (an article, a program) before and after the change; `audit_prune` deletes it after 90 days with the
    account's id.
    """
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("an audit entry is written inside the transaction of its change")
    entry = AuditEntry.objects.create(
        user_id=user_id, action=action, subject=subject, subject_id=subject_id, details=dict(details or {})
    )
    return entry.pk


def audit_records(*, user_id: int | None, action: str, subject: str, details: Mapping[int, Mapping[str, Any]]) -> None:
    """Store an entry for each subject id with its details, as `audit_record` does. One query."""
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("an audit entry is written inside the transaction of its change")
    AuditEntry.objects.bulk_create(
        AuditEntry(user_id=user_id, action=action, subject=subject, subject_id=pk, details=dict(each))
        for pk, each in details.items()
    )


def changed_details(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> dict[str, dict[str, Any]]:
    """Return the values that differ, under "before" and "after"; long texts are cut.

    `before` is None for a new row, `after` for a deleted one. Then all values of the other side are returned.
    """
    old, new = dict(before or {}), dict(after or {})
    names = [name for name in {**old, **new} if before is None or after is None or old.get(name) != new.get(name)]
    sides = {"before": old, "after": new}
    return {
        side: {name: _plain(stored[name]) for name in names if name in stored}
        for side, stored in sides.items()
        if stored
    }


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Filter by account, action, subject and time. Empty fields do not filter."""

    user_id: int | None = None
    action: str = ""
    subject: str = ""
    subject_id: int | None = None
    since: datetime | None = None
    until: datetime | None = None


EVERYTHING = AuditFilter()


def audit_list(
    *, filters: AuditFilter = EVERYTHING, before: Cursor | None = None, limit: int = AUDIT_PAGE
) -> tuple[AuditRecord, ...]:
    """Return entries, newest first; with `before` only entries after that cursor. One query."""
    conditions = {
        "user_id": filters.user_id,
        "action": filters.action or None,
        "subject": filters.subject or None,
        "subject_id": filters.subject_id,
        "created_at__gte": filters.since,
        "created_at__lt": filters.until,
    }
    found = AuditEntry.objects.filter(**{name: value for name, value in conditions.items() if value is not None})
    if before is not None:
        found = found.filter(before.after("created_at"))
    ended = AuditEntry.objects.filter(
        subject=OuterRef("subject"), subject_id=OuterRef("subject_id"), action__endswith=".delete"
    )
    rows = found.annotate(is_gone=Exists(ended)).order_by("-created_at", "-id").values_list(*AUDIT_COLUMNS, "is_gone")
    return tuple(AuditRecord(*row) for row in rows[:limit])


def audit_is_newest(*, entry_id: int, actions: Collection[str]) -> bool:
    """Return whether no later entry has one of these actions. One query, which reads the later entries."""
    return not AuditEntry.objects.filter(id__gt=entry_id, action__in=actions).exists()


def audit_own(*, user_id: int) -> tuple[AuditRecord, ...]:
    """Return the entries of this account's actions, oldest first. One query."""
    found = AuditEntry.objects.filter(user_id=user_id).order_by("id")
    return tuple(AuditRecord(*row) for row in found.values_list(*AUDIT_COLUMNS))


def audit_prune() -> int:
    """Remove account ids and details from entries older than 90 days; return the number of changed entries.

    A database function does it (`sql/audit_prune.sql`), because the role that serves pages may not change entries.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT public.audit_prune()")
        (numbers,) = cursor.fetchone()
    return int(numbers)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; a long text is cut."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and len(value) > LONGEST:
        return f"{value[:LONGEST]}…"
    return value
