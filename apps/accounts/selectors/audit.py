"""The audit as administrators read it: with the names of those who acted, and of those it was about."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.accounts.permissions import is_administrator
from apps.core.audit import EVERYTHING, PAGE, AuditFilter, AuditRecord, audit_list
from apps.core.database.paging import Cursor
from apps.core.permissions import require


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One entry; `who` is the username, empty for the terminal and for whoever left.

    `about` is that of the account that it is about, empty where it is about something else.
    """

    id: int
    who: str
    about: str
    user_id: int | None
    action: str
    subject: str
    subject_id: int | None
    details: Mapping[str, Any]
    created_at: datetime
    is_gone: bool  # whether what it is about was deleted then or later


def audit_read(
    *, actor: Actor, filters: AuditFilter = EVERYTHING, before: Cursor | None = None, limit: int = PAGE
) -> tuple[AuditLine, ...]:
    """Return entries, the newest first, those after `before` when it is given. Three queries.

    Raises PermissionDenied.
    """
    require(is_administrator(actor), "Only administrators read the audit.")
    entries = audit_list(filters=filters, before=before, limit=limit)
    people = {pk for each in entries for pk in (each.user_id, _account(each)) if pk is not None}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    return tuple(
        AuditLine(
            each.id,
            names.get(each.user_id or 0, ""),
            names.get(_account(each) or 0, ""),
            each.user_id,
            each.action,
            each.subject,
            each.subject_id,
            each.details,
            each.created_at,
            each.is_gone,
        )
        for each in entries
    )


def _account(entry: AuditRecord) -> int | None:
    """Return the number of the account that the entry is about."""
    return entry.subject_id if entry.subject == "account" else None
