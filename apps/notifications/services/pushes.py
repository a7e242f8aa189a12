"""Sends due notifications by web push."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Min

from apps.core.database.fields import database_now
from apps.notifications.enums import Kind
from apps.notifications.limits import LEASE, PUSH_AGAIN, PUSH_BEGINS, PUSH_ROUND, PUSHES_TAKEN
from apps.notifications.links import page_of
from apps.notifications.models import Notification
from apps.notifications.push.messages import Browser, Message
from apps.notifications.push.public_key import public_key
from apps.notifications.push.sending import Outcome, Result, messages_send
from apps.notifications.selectors.push import Subscription, subscriptions_of
from apps.notifications.services.push_subscriptions import push_subscription_pause, push_subscriptions_forget

# Appends to each notification the subscriptions that need it no more.
NOTE = """
UPDATE notifications SET pushed_to = pushed_to || done.subscriptions
FROM (
    SELECT notification, array_agg(subscription) AS subscriptions
    FROM unnest(%s::bigint[], %s::bigint[]) AS pair (notification, subscription) GROUP BY notification
) AS done
WHERE notifications.id = done.notification
"""
_NO_SUBSCRIPTION = tuple[Subscription, ...]()


def pushes_send() -> timedelta | None:
    """Send the notifications that are due to the browsers of their members; return how long until the next one is due.

    Returns None without one. Processes share the work, and each browser gets a notification once. After a crash,
    browsers whose answers were not noted get it again, in place of the first. A push service that asks for a pause gets
    one; one that fails is tried again (PUSH_AGAIN). Nothing is sent after `expires_at`.

    After PUSH_ROUND seconds the rest is left to the next call; then the result is not above zero. The call keeps its
    thread until the push services have answered, without a database connection. Raises OperationalError in an outage.
    """
    until = time.monotonic() + PUSH_ROUND
    while time.monotonic() < until:
        begun = time.monotonic()
        batch = _take()
        if not batch:
            break
        _connection_release()
        taken_by = {id(each): taken for taken in batch for each in taken.messages}
        for outcomes in messages_send([each for taken in batch for each in taken.messages], until=begun + PUSH_BEGINS):
            _note(outcomes, taken_by)
            _connection_release()
        _finish(batch)
    return _until_next()


@dataclass(slots=True)
class _Taken:
    """A notification that this process sends, with what is left to do: by whom it is to be tried again, and when."""

    id: int
    tries: int
    expires_at: datetime
    messages: tuple[Message, ...]
    again: list[datetime] = field(default_factory=list)


@transaction.atomic
def _take() -> list[_Taken]:
    """Return the notifications that are due longest, at most PUSHES_TAKEN. Other processes leave them for LEASE."""
    now = database_now()
    due = Notification.objects.filter(push_due_at__lte=now).order_by("push_due_at", "id").select_related("participant")
    rows = list(due.select_for_update(skip_locked=True, of=("self",))[:PUSHES_TAKEN])
    if not rows:
        return []
    taken = Notification.objects.filter(pk__in=[row.pk for row in rows])
    taken.update(push_due_at=now + LEASE, push_tries=F("push_tries") + 1)
    living = [row for row in rows if row.expires_at > now]
    by_account = subscriptions_of(user_ids={row.user_id for row in living}) if public_key() else {}
    return [_taken(row, by_account.get(row.user_id, _NO_SUBSCRIPTION), now) for row in rows]


def _taken(row: Notification, subscriptions: Sequence[Subscription], now: datetime) -> _Taken:
    """Return the notification with a message for each browser that lacks it, except those that are paused."""
    lacking = [each for each in subscriptions if each.id not in row.pushed_to] if row.expires_at > now else []
    paused = [each.paused_until for each in lacking if each.paused_until is not None and each.paused_until > now]
    ready = [each for each in lacking if each.paused_until is None or each.paused_until <= now]
    messages = tuple(_message(row, each, now) for each in ready)
    return _Taken(row.pk, row.push_tries + 1, row.expires_at, messages, paused)


def _message(row: Notification, to: Subscription, now: datetime) -> Message:
    """Return the message: of the performer, the newest notification replaces the one before."""
    path = page_of(
        kind=Kind(row.kind), participant_id=row.participant_id, session_id=row.session_id, stage_id=row.stage_id
    )
    browser = Browser(to.id, to.endpoint, to.p256dh, to.auth)
    left = int((row.expires_at - now).total_seconds())
    return Message(browser, row.participant.name, path, f"performer-{row.participant_id}", left)


@transaction.atomic
def _note(outcomes: Sequence[Outcome], taken_by: Mapping[int, _Taken]) -> None:
    """Store what became of these messages."""
    now = database_now()
    pairs = [(taken_by[id(each.message)], each) for each in outcomes]
    done = [(taken.id, each.message.browser.id) for taken, each in pairs if _is_done(taken, each)]
    if done:
        with connection.cursor() as cursor:
            cursor.execute(NOTE, [list(ids) for ids in zip(*done, strict=True)])
    gone = [each.message.browser.id for each in outcomes if each.result is Result.GONE]
    if gone:
        push_subscriptions_forget(subscription_ids=gone)
    for taken, each in pairs:
        if each.result is Result.BUSY:
            push_subscription_pause(subscription_id=each.message.browser.id, until=now + each.pause)
        if not _is_done(taken, each):
            taken.again.append(now + _pause(taken, each))


def _is_done(taken: _Taken, outcome: Outcome) -> bool:
    """Return whether the browser is not tried again with this notification."""
    if outcome.result is Result.FAILED:
        return taken.tries > len(PUSH_AGAIN)
    return outcome.result in {Result.SENT, Result.REFUSED, Result.GONE}


def _pause(taken: _Taken, outcome: Outcome) -> timedelta:
    """Return how long to wait before the browser is tried again."""
    if outcome.result is Result.BUSY:
        return outcome.pause
    return PUSH_AGAIN[taken.tries - 1] if outcome.result is Result.FAILED else timedelta(0)


@transaction.atomic
def _finish(batch: Iterable[_Taken]) -> None:
    """Store when each notification is tried again; not at all, if it is done or would be too late."""
    rows = [Notification(pk=taken.id, push_due_at=_again(taken)) for taken in batch]
    Notification.objects.bulk_update(rows, ["push_due_at"])


def _again(taken: _Taken) -> datetime | None:
    first = min(taken.again, default=None)
    return first if first is not None and first < taken.expires_at else None


def _until_next() -> timedelta | None:
    first = Notification.objects.filter(push_due_at__isnull=False).aggregate(first=Min("push_due_at"))["first"]
    return None if first is None else first - database_now()


def _connection_release() -> None:
    """Return the connection to the pool: push services may take seconds."""
    if not connection.in_atomic_block:
        connection.close()
