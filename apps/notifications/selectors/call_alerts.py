"""Reads of call alerts: who wants to be notified when the next performer of a session is called."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.notifications.models import CallAlert


def call_alert_own(*, user_id: int, session_id: int) -> int | None:
    """Return the time on stage after which a member waits for the next performer of a session, 0 before the first.

    None if the member does not wait. One query.
    """
    found = CallAlert.objects.filter(session_id=session_id, user_id=user_id, told_at=None)
    return found.values_list("stay_id", flat=True).first()


def call_alerts_waiting(*, session_id: int, stay_id: int) -> QuerySet[CallAlert]:
    """Return the alerts that wait for the performer of this time on stage."""
    return CallAlert.objects.filter(session_id=session_id, told_at=None, stay_id__lt=stay_id)


def call_alerts_told(*, session_id: int, since: datetime) -> QuerySet[CallAlert]:
    """Return the alerts of a session whose members were notified since this moment."""
    return CallAlert.objects.filter(session_id=session_id, told_at__gte=since)


def call_alerts_export(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return the sessions whose next performer a member wanted to be notified of, ready for JSON. One query."""
    rows = (
        CallAlert.objects.filter(user_id=user_id).order_by("pk").values_list("session__title", "created_at", "told_at")
    )
    return {
        "call_alerts": [
            {"session": title, "created_at": at.isoformat(), "told_at": told.isoformat() if told else None}
            for title, at, told in rows
        ]
    }
