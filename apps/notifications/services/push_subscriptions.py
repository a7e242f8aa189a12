"""Writes of push subscriptions: one for each browser, which ends with its session."""

import logging
from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, Viewer, account_of
from apps.accounts.services.accounts import account_lock
from apps.accounts.services.sessions import session_hold
from apps.core.events import publish
from apps.core.observability import security_count
from apps.core.rate_limits import rate_limit_take
from apps.notifications.events import NotificationsChanged
from apps.notifications.limits import ENDPOINT_LENGTH, KEY_LENGTH, SUBSCRIPTIONS_CHANGED, SUBSCRIPTIONS_MOST
from apps.notifications.models import PushSubscription
from apps.notifications.push.endpoints import endpoint_is_allowed, host_of, keys_are_valid

log = logging.getLogger(__name__)
HOST_LENGTH = 253  # of a name in DNS
SIGN_IN = "Please sign in to get notifications in this browser."
NOT_OFFERED = "This site sends no notifications to browsers."
UNKNOWN_SERVICE = "The site sends notifications through the services of Google, Mozilla, Apple and Microsoft only."
UNUSABLE_KEYS = "This browser gave keys that cannot be used. Please turn notifications off and on again."
NOT_ON = "Notifications are not turned on in this browser."


@transaction.atomic
def push_subscribe(*, actor: Actor, endpoint: str, p256dh: str, auth: str) -> None:
    """Send the actor's notifications to the browser of the actor's session too.

    The endpoint is this session's alone from now on; above SUBSCRIPTIONS_MOST browsers the oldest gets no more. Raises
    PermissionDenied without a valid session, TooMany, and ValidationError for an endpoint that is not of a known push
    service, for unusable keys, and where the site offers no push.
    """
    user_id, session = _member(actor)
    _check(endpoint=endpoint, p256dh=p256dh, auth=auth)
    rate_limit_take(SUBSCRIPTIONS_CHANGED, account_id=user_id)
    _store(user_id, session, endpoint, {"p256dh": p256dh, "auth": auth})
    publish(NotificationsChanged(user_id))


@transaction.atomic
def push_unsubscribe(*, actor: Actor) -> None:
    """Send no more notifications to the browser of the actor's session. Raises PermissionDenied without one."""
    user_id, session = _member(actor)
    PushSubscription.objects.filter(user_id=user_id, session_handle=session).delete()
    publish(NotificationsChanged(user_id))


@transaction.atomic
def push_renew(*, actor: Actor, endpoint: str, p256dh: str, auth: str) -> None:
    """Replace the endpoint of a browser in which push is on, since its push service gave it another one.

    Raises what `push_subscribe` raises, and ValidationError where push is not on.
    """
    user_id, session = _member(actor)
    if not PushSubscription.objects.filter(user_id=user_id, session_handle=session).exists():
        raise ValidationError(NOT_ON)
    push_subscribe(actor=actor, endpoint=endpoint, p256dh=p256dh, auth=auth)


@transaction.atomic
def push_subscriptions_forget(*, subscription_ids: Sequence[int]) -> None:
    """Delete subscriptions that have ended at their push services. Open pages show it."""
    found = PushSubscription.objects.filter(pk__in=subscription_ids)
    user_ids = set(found.values_list("user_id", flat=True))
    found.delete()
    for user_id in sorted(user_ids):
        publish(NotificationsChanged(user_id))


@transaction.atomic
def push_subscription_pause(*, subscription_id: int, until: datetime) -> None:
    """Send nothing to a subscription until then."""
    PushSubscription.objects.filter(pk=subscription_id).update(paused_until=until)


def _member(actor: Actor) -> tuple[int, str]:
    """Return the account and the session's handle of the actor. Both stay until the transaction ends.

    Raises PermissionDenied without a valid session.
    """
    user_id = account_of(actor)
    if user_id is None or not isinstance(actor, Viewer) or not account_lock(user_id=user_id):
        raise PermissionDenied(SIGN_IN)
    if not session_hold(actor=actor):
        raise PermissionDenied(SIGN_IN)
    return user_id, actor.session


def _check(*, endpoint: str, p256dh: str, auth: str) -> None:
    if not settings.PUSH_PRIVATE_KEY:
        raise ValidationError(NOT_OFFERED)
    if len(endpoint) > ENDPOINT_LENGTH or not endpoint_is_allowed(endpoint):
        log.warning("a push endpoint of the host %s was refused", host_of(endpoint)[:HOST_LENGTH] or "(none)")
        security_count("push endpoint refused", reason="not a known push service")
        raise ValidationError(UNKNOWN_SERVICE)
    if max(len(p256dh), len(auth)) > KEY_LENGTH or not keys_are_valid(p256dh=p256dh, auth=auth):
        raise ValidationError(UNUSABLE_KEYS)


def _store(user_id: int, session: str, endpoint: str, keys: dict[str, str]) -> None:
    """Make the endpoint this session's. A row never gets another account or endpoint: `pushed_to` names rows."""
    same = PushSubscription.objects.filter(user_id=user_id, session_handle=session, endpoint=endpoint)
    if same.update(**keys, paused_until=None):
        return
    PushSubscription.objects.filter(session_handle=session).delete()
    PushSubscription.objects.filter(endpoint=endpoint).delete()
    own = PushSubscription.objects.filter(user_id=user_id).order_by("-id")
    oldest = list(own.values_list("pk", flat=True)[SUBSCRIPTIONS_MOST - 1 :])
    PushSubscription.objects.filter(pk__in=oldest).delete()
    PushSubscription.objects.create(user_id=user_id, session_handle=session, endpoint=endpoint, **keys)
