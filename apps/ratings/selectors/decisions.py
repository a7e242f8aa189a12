"""A moderator's last decision, as long as it can be undone."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import DateTimeField, ExpressionWrapper, Value
from django.db.models.functions import Now

from apps.ratings.enums import Verdict
from apps.ratings.models import Decision

UNDO_LIFETIME = timedelta(minutes=10)  # a decision can be taken back for so long


@dataclass(frozen=True, slots=True)
class LastDecision:
    """A decision that can be taken back, and how many ratings it was about."""

    id: int
    verdict: Verdict
    count: int


def decision_last(*, user_id: int) -> LastDecision | None:
    """Return this account's last decision that can still be undone, or None. One query."""
    found = Decision.objects.filter(user_id=user_id, created_at__gt=decided_since())
    row = found.order_by("-pk").values_list("pk", "approved", "submissions").first()
    return LastDecision(row[0], Verdict.APPROVE if row[1] else Verdict.REJECT, row[2]) if row else None


def decided_since() -> "ExpressionWrapper[Any]":
    """Return since when decisions can be undone, as an expression of the database."""
    return ExpressionWrapper(Now() - Value(UNDO_LIFETIME), output_field=DateTimeField())
