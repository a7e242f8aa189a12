"""Sends due notifications by web push."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Min
from django.db.models.expressions import RawSQL

from apps.core.database.fields import database_now
from apps.notifications.enums import Kind
from apps.notifications.limits import (
    LEASE,
    PUSH_AGAIN,
    PUSH_BEGINS,
    PUSH_EXCHANGE,
    PUSH_PACE,
    PUSH_ROUND,
    PUSHES_SEEN,
    PUSHES_TAKEN,
)
from apps.notifications.links import page_of
from apps.notifications.models import Notification
from apps.notifications.push.hosts import hosts
from apps.notifications.push.messages import Browser, Message
from apps.notifications.push.public_key import public_key
from apps.notifications.push.sending import Outcome, Result, Sender
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
    one; one that fails is tried again (PUSH_AGAIN). Nothing is sent after `expires_at`. Push services and members take
    turns, and a push service that does not answer is paused for all (`apps/notifications/push/hosts.py`).

    After PUSH_ROUND seconds, or PUSH_EXCHANGE more while an answer is awaited, the rest is left to the next call; then
    the result is not above zero. The call keeps its thread until the push services have answered, without a database
    connection. Raises OperationalError in an outage.
    """
    begun, taken_at = time.monotonic(), 0.0
    taken_by: dict[int, _Taken] = {}
    with Sender() as sender:
        while True:
            now = time.monotonic()
            may_take = now < begun + PUSH_ROUND + (PUSH_EXCHANGE if sender.is_busy else 0)
            if may_take and now >= taken_at + PUSH_PACE:
                batch, taken_at = _take(sender.full), now
                _finish([each for each in batch if not each.messages])
                taken_by |= {id(message): each for each in batch for message in each.messages}
                sender.add([message for each in batch for message in each.messages], until=now + PUSH_BEGINS)
                _connection_release()
            if not sender.is_busy:
                break
            if outcomes := sender.outcomes(within=PUSH_PACE):
                _note(outcomes, taken_by)
                done = {id(each): each for each in (taken_by.pop(id(one.message)) for one in outcomes) if not each.left}
                _finish(done.values())
                _connection_release()
        return _until_next(hosts.paused())


@dataclass(slots=True)
class _Taken:
    """A notification that this process sends, with what is left to do: by whom it is to be tried again, and when.

    `left` is the number of messages without an outcome.
    """

    id: int
    tries: int
    expires_at: datetime
    messages: tuple[Message, ...]
    again: list[datetime] = field(default_factory=list)
    left: int = 0
    is_tried: bool = False


# The due notifications with a browser at a push service that is not in `full`, or without any browser. Those of a
# member take turns with those of other members, and then push services with each other.
DUE = """
WITH due AS (
    SELECT id, user_id, push_due_at, pushed_to FROM notifications AS due
    WHERE push_due_at <= %(now)s AND (
        NOT EXISTS (
            SELECT FROM push_subscriptions AS browser
            WHERE browser.user_id = due.user_id AND browser.id <> ALL(due.pushed_to)
        ) OR EXISTS (
            SELECT FROM push_subscriptions AS browser
            WHERE browser.user_id = due.user_id AND browser.id <> ALL(due.pushed_to)
                AND substring(browser.endpoint FROM '^https://[^/]+') <> ALL(%(full)s::text[])
        )
    )
    ORDER BY push_due_at, id LIMIT %(seen)s
), hosted AS (
    SELECT due.id, due.push_due_at, substring(browser.endpoint FROM '^https://[^/]+') AS origin,
        row_number() OVER (PARTITION BY due.user_id, browser.id ORDER BY due.push_due_at, due.id) AS nth_of_member
    FROM due LEFT JOIN push_subscriptions AS browser
        ON browser.user_id = due.user_id AND browser.id <> ALL(due.pushed_to)
), turns AS (
    SELECT id, row_number() OVER (PARTITION BY origin ORDER BY nth_of_member, push_due_at, id) AS turn FROM hosted
    WHERE origin IS NULL OR origin <> ALL(%(full)s::text[])
)
SELECT id FROM turns GROUP BY id ORDER BY min(turn), id LIMIT %(most)s
"""
_MORE = 4  # times as many are chosen as are taken: other processes may have locked some


@transaction.atomic
def _take(full: Sequence[str]) -> list[_Taken]:
    """Return up to PUSHES_TAKEN due notifications (DUE). Other processes leave them for LEASE."""
    now = database_now()
    chosen = _due(now, full, PUSHES_TAKEN * _MORE)
    in_turn = RawSQL("array_position(%s::bigint[], notifications.id)", [chosen])
    due = Notification.objects.filter(pk__in=chosen, push_due_at__lte=now).select_related("participant")
    rows = list(due.order_by(in_turn).select_for_update(skip_locked=True, of=("self",))[:PUSHES_TAKEN])
    if not rows:
        return []
    taken = Notification.objects.filter(pk__in=[row.pk for row in rows])
    taken.update(push_due_at=now + LEASE, push_tries=F("push_tries") + 1)
    living = [row for row in rows if row.expires_at > now]
    by_account = subscriptions_of(user_ids={row.user_id for row in living}) if public_key() else {}
    return [_taken(row, by_account.get(row.user_id, _NO_SUBSCRIPTION), now) for row in rows]


def _due(now: datetime, full: Sequence[str], most: int) -> list[int]:
    """Return due notifications in turn (DUE). One query, which looks at PUSHES_SEEN of them."""
    with connection.cursor() as cursor:
        cursor.execute(DUE, {"now": now, "full": list(full), "seen": PUSHES_SEEN, "most": most})
        return [pk for (pk,) in cursor.fetchall()]


def _taken(row: Notification, subscriptions: Sequence[Subscription], now: datetime) -> _Taken:
    """Return the notification with a message for each browser that lacks it, except those that are paused."""
    lacking = [each for each in subscriptions if each.id not in row.pushed_to] if row.expires_at > now else []
    paused = [each.paused_until for each in lacking if each.paused_until is not None and each.paused_until > now]
    ready = [each for each in lacking if each.paused_until is None or each.paused_until <= now]
    messages = tuple(_message(row, each, now) for each in ready)
    return _Taken(row.pk, row.push_tries + 1, row.expires_at, messages, paused, left=len(messages))


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
        taken.left -= 1
        taken.is_tried |= each.is_tried
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
    if outcome.result in {Result.BUSY, Result.PAUSED}:
        return outcome.pause
    return PUSH_AGAIN[taken.tries - 1] if outcome.result is Result.FAILED else timedelta(0)


@transaction.atomic
def _finish(batch: Iterable[_Taken]) -> None:
    """Store when each notification is tried again; not at all, if it is done or would be too late."""
    rows = [
        Notification(pk=each.id, push_due_at=_again(each), push_tries=each.tries if each.is_tried else each.tries - 1)
        for each in batch
    ]
    Notification.objects.bulk_update(rows, ["push_due_at", "push_tries"])


def _again(taken: _Taken) -> datetime | None:
    first = min(taken.again, default=None)
    return first if first is not None and first < taken.expires_at else None


def _until_next(paused: Mapping[str, float]) -> timedelta | None:
    """Return how long until the next notification is due, or if only paused push services are left until one is not."""
    waiting = Notification.objects.filter(push_due_at__isnull=False)
    first, now = waiting.aggregate(first=Min("push_due_at"))["first"], database_now()
    if first is None or first > now:
        return None if first is None else first - now
    if not paused or _due(now, list(paused), 1):
        return timedelta(0)
    later = waiting.filter(push_due_at__gt=now).aggregate(first=Min("push_due_at"))["first"]
    pause = timedelta(seconds=min(paused.values()))
    return pause if later is None else min(pause, later - now)


def _connection_release() -> None:
    """Return the connection to the pool: push services may take seconds."""
    if not connection.in_atomic_block:
        connection.close()
