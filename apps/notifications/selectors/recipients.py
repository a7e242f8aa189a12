"""Reads of members who are notified: which of a performer's followers, and over which channels."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from apps.accounts.selectors.people import accounts_reachable
from apps.notifications.channels import Choices
from apps.notifications.enums import Kind
from apps.notifications.models import Notification, PushSubscription
from apps.notifications.selectors.announcements import NotificationCause
from apps.notifications.selectors.preferences import DEFAULTS, preferences_of


@dataclass(frozen=True, slots=True)
class Recipient:
    """What the member chose for the channels, and whether there is a browser and a confirmed address for them."""

    choices: Choices
    has_push: bool
    has_address: bool


def recipients_of(
    *, user_ids: Collection[int], cause: NotificationCause, has_asked: bool = False
) -> Mapping[int, Recipient]:
    """Return those of these members who want this notification and have not got it yet, by id. Four queries.

    Closed accounts are left out. Who `has_asked` for it wants it, whatever kinds the profile names.
    """
    same = {"kind": cause.kind, "participant_id": cause.participant_id, "occasion": cause.occasion}
    known = set(Notification.objects.filter(user_id__in=user_ids, **same).values_list("user_id", flat=True))
    pushed = set(PushSubscription.objects.filter(user_id__in=user_ids).values_list("user_id", flat=True))
    chosen = preferences_of(user_ids=user_ids)
    recipients = dict[int, Recipient]()
    for user_id, has_address in accounts_reachable(user_ids=user_ids).items():
        own = chosen.get(user_id, DEFAULTS)
        is_wanted = has_asked or cause.kind in own.kinds or cause.kind == Kind.UNDONE
        if is_wanted and user_id not in known:
            recipients[user_id] = Recipient(own.channels, user_id in pushed, has_address)
    return recipients
