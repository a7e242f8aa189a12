"""Writes of members' choices."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import time
from functools import partial
from types import MappingProxyType
from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.services.accounts import account_lock, accounts_lock
from apps.core.edits import FieldErrors, Saved, edit_merge
from apps.core.events import publish
from apps.notifications.enums import MailChoice
from apps.notifications.events import NotificationsChanged
from apps.notifications.models import Notification, NotificationPreference
from apps.notifications.selectors.preferences import preferences_get
from apps.notifications.zones import is_zone

SAVED = "Notifications saved."
NO_ZONE = "There is no time zone of this name. Please choose one of the list."
NO_TIME = "Please give a time of day, such as 22:00."
HALF = "Quiet hours need a beginning and an end."
SAME = "Quiet hours need a beginning and a different end."
LABELS: Mapping[str, str] = MappingProxyType(
    {
        "soon": "Soon on stage",
        "now": "On stage now",
        "moved": "Moved or withdrawn",
        "advanced": "Advances to the next stage",
        "prizes": "Receives a prize",
        "mail": "E-mail",
        "mail_hour": "Hour of the daily e-mail",
        "quiet_from": "Quiet from",
        "quiet_until": "Quiet until",
        "time_zone": "Time zone",
    }
)


@transaction.atomic
def notifications_choose(*, actor: Actor, typed: Mapping[str, Any], version: str | None = None) -> Saved[str]:
    """Store how the actor wants to be notified and return the sentence to show.

    `typed` are values by field of the form: the kinds as booleans, `mail_hour` as a number, the times as texts, empty
    for no quiet hours, and an empty zone for the venue's. `version` is the `Preferences.version` of the form. A field
    that is missing, or unchanged since then, keeps its stored value. Raises PermissionDenied, EditConflict, and
    ValidationError by field.
    """
    user_id = account_of(actor)
    if user_id is None or not account_lock(user_id=user_id):
        raise PermissionDenied("Please sign in to choose notifications.")
    before = asdict(preferences_get(user_id=user_id))
    given = _read(typed)
    after, kept_fields = edit_merge(version=version, stored=before, given=given, labels=LABELS, words=_words(before))
    _require_quiet_hours(after)
    NotificationPreference.objects.update_or_create(user_id=user_id, defaults=after)
    publish(NotificationsChanged(user_id))
    return Saved(SAVED, kept_fields)


@transaction.atomic
def notices_end(*, user_id: int) -> bool:
    """Set a member's mails to never and forget those that wait; return whether a mail was chosen before.

    For the bearer of a link in a mail (`apps/notifications/unsubscribing.py`), who need not be signed in; the account
    may be closed.
    """
    accounts_lock(user_ids=[user_id])
    ended = NotificationPreference.objects.filter(user_id=user_id).exclude(mail=MailChoice.NEVER)
    was_chosen = ended.update(mail=MailChoice.NEVER) > 0
    Notification.objects.filter(user_id=user_id, mail_due_at__isnull=False).update(mail_due_at=None)
    if was_chosen:
        publish(NotificationsChanged(user_id))
    return was_chosen


def _read(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values to store. Raises ValidationError at each field whose text is no value."""
    errors, read = FieldErrors(), dict(typed)
    for field in {"quiet_from", "quiet_until"} & typed.keys():
        read[field] = errors.checked(partial(_time, typed[field], field), None)
    if "time_zone" in typed:
        errors.checked(lambda: _zone_require(typed["time_zone"]), None)
    errors.require_none()
    return read


def _time(text: str, field: str) -> time | None:
    """Return a typed time of day without seconds, None for an empty text."""
    if not text:
        return None
    try:
        typed = time.fromisoformat(text)
    except ValueError as error:
        raise ValidationError({field: NO_TIME}) from error
    if typed.tzinfo is not None:  # the hours are those of the member's zone
        raise ValidationError({field: NO_TIME})
    return time(typed.hour, typed.minute)


def _zone_require(name: str) -> None:
    if name and not is_zone(name):
        raise ValidationError({"time_zone": NO_ZONE})


def _require_quiet_hours(after: Mapping[str, Any]) -> None:
    """Raise ValidationError at a missing end of quiet hours, and for two equal ones."""
    begin, end = after["quiet_from"], after["quiet_until"]
    if (begin is None) != (end is None):
        raise ValidationError({"quiet_from" if begin is None else "quiet_until": HALF})
    if begin is not None and begin == end:
        raise ValidationError({"quiet_until": SAME})


def _words(stored: Mapping[str, Any]) -> dict[str, str]:
    """Return the stored values as a member reads them, where they differ from the stored ones."""
    times = {name: f"{value:%H:%M}" for name, value in stored.items() if isinstance(value, time)}
    return {"mail": MailChoice(stored["mail"]).label, "mail_hour": f"{stored['mail_hour']:02}:00", **times}
