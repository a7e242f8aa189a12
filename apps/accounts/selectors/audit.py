"""The audit as administrators read it: with the names of those who acted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.accounts.permissions import is_administrator
from apps.core.audit import EVERYTHING, PAGE, AuditFilter, audit_list
from apps.core.database.paging import Cursor
from apps.core.permissions import require


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One entry; `who` is the username, empty for the terminal and for whoever left."""

    id: int
    who: str
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
    people = {each.user_id for each in entries if each.user_id is not None}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    return tuple(
        AuditLine(
            each.id,
            names.get(each.user_id or 0, ""),
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
