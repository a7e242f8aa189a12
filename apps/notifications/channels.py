"""When a new notification leaves by push and by mail: quiet hours, and the hour of the daily mail.

All results are in UTC. Two times of one zone must not be compared: Python compares their clocks, which show an hour
twice when summer time ends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from apps.notifications.enums import MailChoice

_DAY, _MINUTE = timedelta(days=1), timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Choices:
    """What a member chose, with the zone in which the hours and times are meant."""

    zone: ZoneInfo
    mail: MailChoice = MailChoice.NEVER
    mail_hour: int = 8
    quiet_from: time | None = None
    quiet_until: time | None = None


def push_due(choices: Choices, at: datetime) -> datetime:
    """Return when a notification made at `at` is pushed: at once, in quiet hours at their end.

    Quiet hours end as soon as the zone's clock shows no time of theirs, also when it is put back or skips their end.
    """
    at = at.astimezone(UTC)
    begin, end = choices.quiet_from, choices.quiet_until
    if begin is None or end is None:
        return at

    def is_quiet(moment: datetime) -> bool:
        here = moment.astimezone(choices.zone).time()
        return begin <= here < end if begin < end else here >= begin or here < end

    if not is_quiet(at):
        return at
    here = at.astimezone(choices.zone)
    ends_at = at + (datetime.combine(here, end) - here.replace(tzinfo=None)) % _DAY
    if ends_at.astimezone(choices.zone).utcoffset() == here.utcoffset():
        return ends_at
    return _first_minute(at, lambda moment: not is_quiet(moment))


def mail_due(choices: Choices, at: datetime) -> datetime | None:
    """Return when a notification made at `at` is mailed: as pushes are, or at the chosen hour; None for never.

    The hour of the daily mail counts in quiet hours, too.
    """
    if choices.mail == MailChoice.NEVER:
        return None
    if choices.mail == MailChoice.AT_ONCE:
        return push_due(choices, at)
    today = at.astimezone(choices.zone).date()
    moments = (_moment(today + _DAY * days, time(choices.mail_hour), choices.zone) for days in count())
    return next(moment for moment in moments if moment > at)


def _moment(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """Return the first moment of a day at which the zone's clock shows at least this time.

    A clock that is put back shows it twice: the first time counts. A clock that is put forward may skip it.
    """
    local = datetime.combine(day, clock)
    moment = local.replace(tzinfo=zone).astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) == local:
        return moment
    before = local.replace(tzinfo=zone, fold=1).astimezone(UTC)  # the clock is put forward after this moment
    return _first_minute(before, lambda moment: moment.astimezone(zone).replace(tzinfo=None) >= local)


def _first_minute(after: datetime, holds: Callable[[datetime], bool]) -> datetime:
    """Return the first whole minute after `after` for which `holds` is true; clocks are changed at whole minutes."""
    start = after.replace(second=0, microsecond=0)
    return next(moment for minutes in count(1) if holds(moment := start + _MINUTE * minutes))
