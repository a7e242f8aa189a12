"""The audit: who changed what of the site's running, written in the transaction that changes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import DateTimeField, ExpressionWrapper, Value
from django.db.models.functions import Now

from .models import AuditEntry

PERSONAL = timedelta(days=90)  # an entry says whose it is for so long
ACCOUNT = "account"  # the subject whose number is a person's
PAGE = 50  # entries
_COLUMNS = ("id", "user_id", "action", "subject", "subject_id", "details", "created_at")


@dataclass(frozen=True, slots=True)
class Audited:
    """One entry, as administrators read it."""

    id: int
    user_id: int | None
    action: str
    subject: str
    subject_id: int | None
    details: Mapping[str, Any]
    created_at: datetime


def audit_record(
    *,
    user_id: int | None,
    action: str,
    subject: str,
    subject_id: int | None = None,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Note what is being done; raises TransactionManagementError outside the transaction that does it.

    `user_id` is None for somebody at the terminal; `details` hold neither names nor texts of people.
    """
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("what is audited is written in the transaction that does it")
    AuditEntry.objects.create(
        user_id=user_id, action=action, subject=subject, subject_id=subject_id, details=dict(details or {})
    )


def audit_list(*, before_id: int | None = None, limit: int = PAGE) -> tuple[Audited, ...]:
    """Return entries, the newest first, those before the entry `before_id` when it is given. One query."""
    found = AuditEntry.objects.order_by("-id")
    if before_id is not None:
        found = found.filter(id__lt=before_id)
    return tuple(Audited(*row) for row in found.values_list(*_COLUMNS)[:limit])


def audit_own(*, user_id: int) -> tuple[Audited, ...]:
    """Return what this account did, the oldest first. One query."""
    found = AuditEntry.objects.filter(user_id=user_id).order_by("id")
    return tuple(Audited(*row) for row in found.values_list(*_COLUMNS))


def audit_count(*, user_id: int, action: str, within: timedelta) -> int:
    """Return how often this account did this lately. One query."""
    return AuditEntry.objects.filter(user_id=user_id, action=action, created_at__gt=_ago(within)).count()


@transaction.atomic
def audit_prune() -> int:
    """Take people's numbers out of entries that are older than 90 days; returns of how many."""
    old = AuditEntry.objects.filter(created_at__lt=_ago(PERSONAL))
    subjects = old.filter(subject=ACCOUNT, subject_id__isnull=False).update(user_id=None, subject_id=None)
    return subjects + old.filter(user_id__isnull=False).update(user_id=None)


def _ago(duration: timedelta) -> "ExpressionWrapper[Any]":
    """Return the moment so long ago, by the database's clock."""
    return ExpressionWrapper(Now() - Value(duration), output_field=DateTimeField())
