"""Reads of push subscriptions."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.accounts.selectors.sessions import sessions_valid
from apps.notifications.limits import SUBSCRIPTIONS_MOST
from apps.notifications.models import PushSubscription
from apps.notifications.push.endpoints import host_of
from apps.notifications.push.public_key import public_key


@dataclass(frozen=True, slots=True)
class PushState:
    """Push in one browser: the site's public key, empty where the site offers none, and whether it is turned on."""

    public_key: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser that gets pushes. Its push service wants to be left alone until `paused_until`."""

    id: int
    user_id: int
    endpoint: str
    p256dh: str
    auth: str
    paused_until: datetime | None


def push_state(*, user_id: int, session: str) -> PushState:
    """Return the state of push for a member in the browser of the session with this handle. One query."""
    found = PushSubscription.objects.filter(user_id=user_id, session_handle=session) if session else None
    return PushState(public_key(), is_on=found is not None and found.exists())


def subscriptions_of(*, user_ids: Collection[int]) -> Mapping[int, tuple[Subscription, ...]]:
    """Return the subscriptions of these accounts whose sessions are valid, by account. Two queries.

    At most SUBSCRIPTIONS_MOST an account.
    """
    rows = PushSubscription.objects.filter(user_id__in=user_ids).order_by("user_id", "-id")
    rows = rows[: SUBSCRIPTIONS_MOST * len(user_ids)]
    accounts = sessions_valid(handles=[row.session_handle for row in rows]) if rows else {}
    found: dict[int, tuple[Subscription, ...]] = {}
    for row in rows:
        if accounts.get(row.session_handle) == row.user_id:
            one = Subscription(row.pk, row.user_id, row.endpoint, row.p256dh, row.auth, row.paused_until)
            found[row.user_id] = (*found.get(row.user_id, ()), one)
    return found


def push_subscriptions_export(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return the browsers in which a member turned push on, ready for JSON: without the keys. One query."""
    rows = PushSubscription.objects.filter(user_id=user_id).order_by("id").values_list("endpoint", "created_at")
    shown = [{"push_service": host_of(endpoint), "created_at": at.isoformat()} for endpoint, at in rows]
    return {"push_subscriptions": shown}
