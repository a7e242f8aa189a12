"""Work on announcements: each that is due becomes notifications of the members who follow its performers.

The performer who is called is announced to the members with a call alert of the session, too.

An announcement is taken with a lease, and decided on by what is stored then. Its notifications are created in batches,
each in a transaction of its own, so that no change of performer waits for them. After a crash or a failure another
process repeats the work, and creates only what is missing.
"""

import logging
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Now

from apps.accounts.services.accounts import accounts_hold
from apps.competition.calls import TakenBack
from apps.core.database.fields import DATABASE_AWAY, database_now, is_due
from apps.core.events import publish
from apps.following.selectors import followers_before
from apps.notifications.channels import mail_due, push_due
from apps.notifications.enums import Change, Kind
from apps.notifications.events import NotificationsMade
from apps.notifications.limits import BATCH, HOLD, LEASE, PAUSE, TAKEN_MOST, TRIES_MOST
from apps.notifications.models import Announcement, CallAlert, Notification
from apps.notifications.selectors.announcements import (
    NotificationCause,
    announcement_next,
    called_wrongly,
    causes_of,
    is_superseded,
    planned_near,
    settled_at,
)
from apps.notifications.selectors.call_alerts import call_alerts_told, call_alerts_waiting
from apps.notifications.selectors.recipients import Recipient, recipients_of

if TYPE_CHECKING:
    from django.db.models import QuerySet

log = logging.getLogger(__name__)
_BRIEF = [Change.STAGE, Change.PLANNED, Change.UNDONE]  # these soon expire
_FIRST = Case(When(change__in=_BRIEF, then=Value(0)), default=Value(1))
_UNSENT = Q(seen_at=None, pushed_to=[]) & (Q(push_due_at__isnull=False) | Q(mail_due_at__isnull=False))


class _TakenOverError(Exception):
    """Another process works on the announcement, because the lease has run out."""


def call_undone(call: TakenBack) -> None:
    """Let followers be corrected who were notified of this call. In the transaction that takes it back."""
    subject = {"session_id": call.session_id, "participant_id": call.participant_id}
    called = {"began_at": call.began_at.isoformat()}
    row = Announcement(change=Change.UNDONE, before=called, due_at=database_now() + HOLD, **subject)
    Announcement.objects.bulk_create([row], ignore_conflicts=True)  # one that waits has the earlier call


def announcements_work() -> timedelta | None:
    """Create the notifications of all announcements that are due; return how long until the next one, None without one.

    Concurrent calls share the work. A failure is logged and tried again after a pause, TRIES_MOST times.
    """
    near, planned_at = planned_near()
    Announcement.objects.bulk_create(near, ignore_conflicts=True)
    while (announcement := _take()) is not None:
        _work(announcement)
    times = [at for at in (announcement_next(), planned_at) if at]
    return min(times) - database_now() if times else None


@transaction.atomic
def _take() -> Announcement | None:
    """Take the next announcement that is due for LEASE; None without one."""
    is_free = Q(taken_until=None) | is_due("taken_until", TAKEN_MOST)
    due = Announcement.objects.filter(is_free, is_due("due_at", HOLD), finished_at=None)
    taken = due.order_by(_FIRST, "due_at", "pk").select_for_update(no_key=True, skip_locked=True).first()
    if taken is not None:
        taken.tries += 1
        taken.taken_until = database_now() + LEASE
        taken.save(update_fields=["tries", "taken_until"])
    return taken


def _work(announcement: Announcement) -> None:
    """Create the notifications of an announcement that was taken."""
    try:
        if announcement.tries > TRIES_MOST:  # its processes ended during each try
            _give_up(announcement)
        else:
            _announce(announcement)
    except _TakenOverError:
        log.info("%s %d is worked on by another process", announcement.change, announcement.pk)
    except DATABASE_AWAY:
        raise  # the lease runs out
    except Exception:
        log.exception("%s %d failed", announcement.change, announcement.pk)
        _try_again(announcement)


def _announce(announcement: Announcement) -> None:
    causes = causes_of(announcement)
    if is_superseded(announcement):  # read after the state: without a newer change, none is in it
        _hand_over(announcement)
    elif (until := settled_at(announcement)) is not None:
        _held(announcement).update(taken_until=until, tries=F("tries") - 1)
    elif not causes and announcement.change == Change.PLANNED:
        _held(announcement).delete()  # it is added again when the time is near
    else:
        for cause in causes:
            _notify_followers(announcement, cause)
        _finish(announcement)


def _held(announcement: Announcement) -> "QuerySet[Announcement]":
    """Return the announcement as long as this process holds it."""
    return Announcement.objects.filter(pk=announcement.pk, tries=announcement.tries, finished_at=None)


def _finish(announcement: Announcement) -> None:
    _held(announcement).update(finished_at=Now())


@transaction.atomic
def _hand_over(announcement: Announcement) -> None:
    """Leave a change to the newer one that waits; unless followers know of it already, it begins with this one."""
    if announcement.change in {Change.MOVED, Change.UNDONE} and announcement.tries == 1:
        subject = {"session_id": announcement.session_id, "participant_id": announcement.participant_id}
        newer = Announcement.objects.filter(change=announcement.change, taken_until=None, finished_at=None, **subject)
        newer.update(before=announcement.before)
    _finish(announcement)


def _try_again(announcement: Announcement) -> None:
    """Try again after a pause, which doubles, or give up."""
    if announcement.tries >= TRIES_MOST:
        _give_up(announcement)
    else:
        pause = PAUSE * 2 ** (announcement.tries - 1)
        _held(announcement).update(taken_until=database_now() + pause)


def _give_up(announcement: Announcement) -> None:
    log.error("%s %d was given up after %d tries", announcement.change, announcement.pk, TRIES_MOST)
    _finish(announcement)


def _notify_followers(announcement: Announcement, cause: NotificationCause) -> None:
    """Create the notifications of all who followed the performer at the time of the change, in batches.

    Then those of the members who asked for the next performer. Those of a call that was taken back are of the members
    who were notified of it, whose notifications they replace.
    """
    due_at = min(announcement.due_at, database_now())  # not that of a clock that was ahead
    changed_at = due_at if announcement.change == Change.PLANNED else due_at - HOLD
    expires_at = changed_at + cause.lasts
    batch = partial(_batch_create, announcement, cause, changed_at=changed_at, expires_at=expires_at)
    for have_asked in (False, True) if cause.stay_id else (False,):
        after: int | None = 0
        while after is not None and expires_at > database_now():
            after = batch(after=after, have_asked=have_asked)


@transaction.atomic
def _batch_create(
    announcement: Announcement,
    cause: NotificationCause,
    *,
    changed_at: datetime,
    expires_at: datetime,
    after: int,
    have_asked: bool,
) -> int | None:
    """Create the notifications of the next BATCH members behind the account `after`; return the last, None at the end.

    They are followers, or (`have_asked`) members with a call alert, which is used up by that. Raises _TakenOverError.
    """
    now = database_now()
    if not _held(announcement).update(taken_until=now + LEASE):
        raise _TakenOverError
    wrong = _wrong(announcement, cause)
    members = _members(cause, wrong, changed_at=changed_at, after=after, have_asked=have_asked)
    if not members:
        return None
    accounts_hold(user_ids=members)
    recipients = recipients_of(user_ids=members, cause=cause, has_asked=have_asked)
    unsent = frozenset() if wrong is None else frozenset(wrong.filter(_UNSENT).values_list("user_id", flat=True))
    of_cause = {name: value for name, value in asdict(cause).items() if name != "stay_id"}
    row = partial(Notification, **of_cause, expires_at=expires_at)
    rows = (
        row(user_id=user_id, **({} if user_id in unsent else _due(recipient, now)))
        for user_id, recipient in recipients.items()
    )
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    if have_asked:
        _waiting(cause).filter(user_id__in=members).update(told_at=now)
    if wrong is not None:  # the next call is announced to them again
        called_at = datetime.fromisoformat((announcement.before or {})["began_at"])
        told = call_alerts_told(session_id=cause.session_id or 0, since=called_at)
        told.filter(user_id__in=members).update(told_at=None)
        wrong.filter(user_id__in=members).delete()
    if recipients:
        publish(NotificationsMade())
    return members[-1] if wrong is not None or len(members) == BATCH else None


def _members(
    cause: NotificationCause,
    wrong: "QuerySet[Notification] | None",
    *,
    changed_at: datetime,
    after: int,
    have_asked: bool,
) -> Sequence[int]:
    """Return the next BATCH members with an id above `after`: those to correct, with a call alert, or followers."""
    if wrong is not None:
        found = wrong.filter(user_id__gt=after).order_by("user_id").values_list("user_id", flat=True)
        return sorted(set(found[:BATCH]))
    if have_asked:
        waiting = _waiting(cause).filter(user_id__gt=after).order_by("user_id").values_list("user_id", flat=True)
        return list(waiting[:BATCH])
    return followers_before(participant_id=cause.participant_id, moment=changed_at, after=after, limit=BATCH)


def _waiting(cause: NotificationCause) -> "QuerySet[CallAlert]":
    """Return the call alerts that wait for this performer."""
    return call_alerts_waiting(session_id=cause.session_id or 0, stay_id=cause.stay_id or 0)


def _wrong(announcement: Announcement, cause: NotificationCause) -> "QuerySet[Notification] | None":
    """Return the notifications that a correction replaces; None for any other cause."""
    if cause.kind != Kind.UNDONE:
        return None
    return called_wrongly(announcement).filter(participant_id=cause.participant_id)


def _due(recipient: Recipient, now: datetime) -> dict[str, datetime | None]:
    """Return when the channels are due that the member has."""
    return {
        "push_due_at": push_due(recipient.choices, now) if recipient.has_push else None,
        "mail_due_at": mail_due(recipient.choices, now) if recipient.has_address else None,
    }
