"""Reads of members who are notified: which of a performer's followers, and over which channels."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from apps.accounts.selectors.people import accounts_reachable
from apps.core.database.fields import venue_zone
from apps.notifications.channels import Choices
from apps.notifications.enums import MailChoice
from apps.notifications.models import Notification, NotificationPreference, PushSubscription
from apps.notifications.selectors.announcements import Telling

_CHOICES = ("time_zone", "mail", "mail_hour", "quiet_from", "quiet_until")
_DEFAULTS = NotificationPreference()  # of a member who has not chosen


@dataclass(frozen=True, slots=True)
class Recipient:
    """What the member chose for the channels, and whether there is a browser and a confirmed address for them."""

    choices: Choices
    has_push: bool
    has_address: bool


def recipients_of(*, user_ids: Collection[int], telling: Telling) -> Mapping[int, Recipient]:
    """Return those of these members who want this notification and have not got it yet, by id. Four queries.

    Closed accounts are left out.
    """
    reachable = accounts_reachable(user_ids=user_ids)
    same = {"kind": telling.kind, "participant_id": telling.participant_id, "occasion": telling.occasion}
    known = set(Notification.objects.filter(user_id__in=user_ids, **same).values_list("user_id", flat=True))
    pushed = set(PushSubscription.objects.filter(user_id__in=user_ids).values_list("user_id", flat=True))
    found = NotificationPreference.objects.filter(user_id__in=user_ids).values_list("pk", telling.kind, *_CHOICES)
    chosen = {user_id: (is_wanted, row) for user_id, is_wanted, *row in found}
    default = getattr(_DEFAULTS, telling.kind), [getattr(_DEFAULTS, name) for name in _CHOICES]
    recipients = dict[int, Recipient]()
    for user_id, has_address in reachable.items():
        is_wanted, row = chosen.get(user_id, default)
        if is_wanted and user_id not in known:
            recipients[user_id] = Recipient(_choices(*row), user_id in pushed, has_address)
    return recipients


def _choices(zone: str, mail: str, mail_hour: int, quiet_from: time | None, quiet_until: time | None) -> Choices:
    return Choices(_zone(zone), MailChoice(mail), mail_hour, quiet_from, quiet_until)


def _zone(name: str) -> ZoneInfo:
    """Return the zone of this name; the venue's for none, and for one that this machine does not know."""
    try:
        return ZoneInfo(name) if name else venue_zone()
    except (ZoneInfoNotFoundError, ValueError):
        return venue_zone()
