"""Reads of members' notifications."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Max, Q, Value
from django.db.models.functions import Coalesce, Now

from apps.notifications.models import Notification

_LATELY = timedelta(minutes=2)  # two periods of the reads, so that none is missed


@dataclass(frozen=True, slots=True)
class ShownNotification:
    """A notification as pages show it."""

    id: int
    kind: str
    participant_id: int
    session_id: int | None
    stage_id: int | None


def notification_shown(*, user_id: int) -> ShownNotification | None:
    """Return the newest notification of a member that is neither seen nor expired; None without one. One query."""
    found = Notification.objects.filter(user_id=user_id, seen_at=None, expires_at__gt=Now()).order_by("-pk")
    row = found.values_list("pk", "kind", "participant_id", "session_id", "stage_id").first()
    return ShownNotification(*row) if row else None


def notifications_newest(*, user_ids: Collection[int]) -> dict[int, int]:
    """Return those of these members whose newest notification came or expired lately, with its id. One query.

    The id is 0 if none is left that is neither seen nor expired.
    """
    lately = Now() - Value(_LATELY)
    has_changed = Q(created_at__gt=lately) | Q(expires_at__lte=Now())
    found = Notification.objects.filter(has_changed, user_id__in=user_ids, seen_at=None, expires_at__gt=lately)
    newest = Coalesce(Max("pk", filter=Q(expires_at__gt=Now())), Value(0))
    return dict(found.order_by().values_list("user_id").annotate(newest=newest))


def notifications_export(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return a member's notifications, ready for JSON. One query."""
    rows = Notification.objects.filter(user_id=user_id).order_by("pk")
    columns = ("kind", "participant__name", "created_at", "expires_at", "seen_at", "push_due_at", "mail_due_at")
    return {"notifications": [_iso(row) for row in rows.values(*columns)]}


def _iso(row: dict[str, Any]) -> dict[str, Any]:
    return {name.removesuffix("__name"): at.isoformat() if hasattr(at, "isoformat") else at for name, at in row.items()}
