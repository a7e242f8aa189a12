"""Reads of members' choices."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import time
from typing import Any

from apps.accounts.selectors.own_account import recipients_get
from apps.core.edits import version_of
from apps.notifications.channels import Choices
from apps.notifications.enums import CHOSEN, Kind, MailChoice
from apps.notifications.models import NotificationPreference
from apps.notifications.zones import zone_of

FIELDS = (*(kind.value for kind in CHOSEN), "mail", "mail_hour", "quiet_from", "quiet_until", "time_zone")


@dataclass(frozen=True, slots=True)
class Preferences:
    """How a member wants to be notified: the kinds, mails, quiet hours and the zone; an empty zone is the venue's."""

    soon: bool = True
    now: bool = True
    moved: bool = True
    advanced: bool = False
    prizes: bool = False
    mail: str = MailChoice.NEVER.value
    mail_hour: int = 8
    quiet_from: time | None = None
    quiet_until: time | None = None
    time_zone: str = ""

    @property
    def version(self) -> str:
        """The version that the form sends back."""
        return version_of(asdict(self))

    @property
    def kinds(self) -> frozenset[Kind]:
        """What the member is notified of."""
        return frozenset(kind for kind in CHOSEN if getattr(self, kind.value))

    @property
    def channels(self) -> Choices:
        """When the channels are due, as `apps/notifications/channels.py` computes it."""
        zone, mail = zone_of(self.time_zone), MailChoice(self.mail)
        return Choices(zone, mail, self.mail_hour, self.quiet_from, self.quiet_until)


@dataclass(frozen=True, slots=True)
class OwnPreferences:
    """A member's preferences for the form; `is_chosen` is False before the first choice."""

    preferences: Preferences
    is_chosen: bool
    has_address: bool  # a confirmed one, to which mails are sent


DEFAULTS = Preferences()


def preferences_get(*, user_id: int) -> Preferences:
    """Return a member's preferences, the defaults before the first choice. One query."""
    return preferences_of(user_ids=[user_id]).get(user_id, DEFAULTS)


def preferences_of(*, user_ids: Collection[int]) -> Mapping[int, Preferences]:
    """Return the preferences of these members, by member, without those who have not chosen. One query."""
    rows = NotificationPreference.objects.filter(user_id__in=user_ids).values_list("user_id", *FIELDS)
    return {user_id: Preferences(*row) for user_id, *row in rows}


def preferences_own(*, user_id: int) -> OwnPreferences:
    """Return a member's preferences for the form. Two queries."""
    chosen = preferences_of(user_ids=[user_id]).get(user_id)
    has_address = user_id in recipients_get(user_ids=[user_id])
    return OwnPreferences(chosen or DEFAULTS, chosen is not None, has_address)


def preferences_export(*, user_id: int) -> dict[str, Any]:
    """Return a member's preferences, ready for JSON; nothing before the first choice. One query."""
    chosen = preferences_of(user_ids=[user_id]).get(user_id)
    if chosen is None:
        return {}
    shown = {name: str(value) if isinstance(value, time) else value for name, value in asdict(chosen).items()}
    return {"notification_preferences": shown}
