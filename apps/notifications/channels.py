"""When a new notification leaves by push and by mail: quiet hours, and the hour of the daily mail."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from apps.notifications.enums import MailChoice

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a member chose, with the zone in which the hours and times are meant."""

    zone: ZoneInfo
    mail: MailChoice = MailChoice.NEVER
    mail_hour: int = 8
    quiet_from: time | None = None
    quiet_until: time | None = None


def push_due(choices: Choices, at: datetime) -> datetime:
    """Return when a notification made at `at` is pushed: at once, in quiet hours at their end."""
    if choices.quiet_from is None or choices.quiet_until is None:
        return at
    here = at.astimezone(choices.zone).time()
    begin, end = choices.quiet_from, choices.quiet_until
    is_quiet = begin <= here < end if begin < end else here >= begin or here < end
    return _next(choices.quiet_until, at, choices.zone) if is_quiet else at


def mail_due(choices: Choices, at: datetime) -> datetime | None:
    """Return when a notification made at `at` is mailed: as pushes are, or at the chosen hour; None for never."""
    if choices.mail == MailChoice.NEVER:
        return None
    if choices.mail == MailChoice.DAILY:
        return _next(time(choices.mail_hour), at, choices.zone)
    return push_due(choices, at)


def _next(clock: time, after: datetime, zone: ZoneInfo) -> datetime:
    """Return the first moment after `after` at which a clock of the zone shows this time.

    A time that a change of summer time leaves out is the same time after the start of the day.
    """
    today = after.astimezone(zone).date()
    moments = (datetime.combine(today + _DAY * days, clock, zone) for days in range(3))
    return next(moment for moment in moments if moment > after)
