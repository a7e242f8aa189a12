"""Planned times of a session: computed from a length, shifted together, or cleared; and its intervals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import PlannedTimesChanged
from apps.competition.limits import INTERVAL_MINUTES_MOST
from apps.competition.models import Appearance, Session, SessionInterval
from apps.competition.permissions import can_edit_competition
from apps.core.database.fields import venue_clock
from apps.core.edits import version_of
from apps.core.events import publish
from apps.core.permissions import require

PLANNED = "The planned times are set."
CLEARED = "The planned times are cleared."
SHIFTED = "The planned times are shifted."
SHIFTED_BACK = "The planned times are as they were before."
_NOT_ALLOWED = "Only administrators edit sessions."
_NONE_PLAYS = "Nobody is in the order of playing yet."
_NO_SUCH_PLACE = "There is no performance number %(number)d in this session before another one."
_UNPLANNED = "This performer has no planned time."
_BEFORE = "Then %(name)s would begin before the performer before, or before the session."
_UNREAD = "“%(line)s” is no interval. Please write the number of a performance and minutes, such as “7: 20”."
_TWICE = "Two intervals follow performance number %(number)d."
_DIGITS = 4  # of a number in a line
_PARTS, _ID_DIGITS = 4, 18  # of an undo
_CHANGED = "The planned times were changed since, so they stay as they are."


class PlannedShift(NamedTuple):
    """A shift that was made; its fields are those of the shift that takes it back."""

    session_id: int
    appearance_id: int
    minutes: int
    version: str  # of the times after the shift

    @property
    def undo(self) -> str:
        """Return the argument of the command that takes it back."""
        return f"{self.session_id}:{self.appearance_id}:{-self.minutes}:{self.version}"


def planned_starts(
    starts_at: datetime, count: int, *, minutes: int, intervals: Mapping[int, int]
) -> tuple[list[datetime], datetime]:
    """Return the planned starts of `count` performances of this length, and the end of the last one.

    `intervals` are minutes by the order number of the performance before the interval; one after the last performance
    is no part of the session.
    """
    starts, at = list[datetime](), starts_at
    for number in range(1, count + 1):
        starts.append(at)
        at += timedelta(minutes=minutes + (intervals.get(number, 0) if number < count else 0))
    return starts, at


def intervals_read(text: str) -> dict[int, int]:
    """Return the intervals in a text: in each line the order number before the interval, and its minutes: "7: 20".

    Raises ValidationError at `intervals` for any other line, for a number twice and for minutes out of range.
    """
    found: dict[int, int] = {}
    for line in filter(None, map(str.strip, text.replace(",", "\n").splitlines())):
        after, minutes = _pair(line)
        if after in found:
            raise ValidationError({"intervals": ValidationError(_TWICE, params={"number": after})})
        if not 1 <= minutes <= INTERVAL_MINUTES_MOST:
            raise ValidationError({"intervals": "An interval lasts from 1 to 600 minutes."})
        found[after] = minutes
    return found


def _pair(line: str) -> tuple[int, int]:
    words = line.replace(":", " ").split()
    numbers = [int(word) for word in words if word.isascii() and word.isdecimal() and len(word) <= _DIGITS]
    if len(words) != 2 or len(numbers) != 2:  # noqa: PLR2004 - an order number and minutes
        raise ValidationError({"intervals": ValidationError(_UNREAD, params={"line": line})})
    return numbers[0], numbers[1]


def shift_read(argument: str) -> PlannedShift:
    """Return the shift that the argument of an undo says. Raises ValidationError."""
    words = argument.split(":", _PARTS - 1)
    numbers = [word for word in words[: _PARTS - 1] if _is_number(word.removeprefix("-"))]
    if len(words) != _PARTS or len(numbers) != _PARTS - 1:
        raise ValidationError(_CHANGED)
    session_id, appearance_id, minutes = map(int, numbers)
    if abs(minutes) > INTERVAL_MINUTES_MOST:
        raise ValidationError(_CHANGED)
    return PlannedShift(session_id, appearance_id, minutes, words[-1])


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= _ID_DIGITS


@transaction.atomic
def planned_times_set(*, actor: Actor, session_id: int, minutes: int | None, intervals: Mapping[int, int]) -> None:
    """Store the intervals of a session, and with `minutes` (of a performance) the planned starts and end.

    The caller has checked the ranges. Raises PermissionDenied, Session.DoesNotExist, ValidationError at `intervals` for
    one that follows no performance but the last, and for an empty order of playing.
    """
    session = _locked(actor, session_id)
    appearances = _appearances(session)
    if not appearances:
        raise ValidationError({"minutes": _NONE_PLAYS})
    numbers = [each.order_number for each in appearances]  # with gaps, where a performer withdrew
    wrong = next((number for number in intervals if not 1 <= number < numbers[-1]), None)
    if wrong is not None:
        raise ValidationError({"intervals": ValidationError(_NO_SUCH_PLACE, params={"number": wrong})})
    before = _fields(session, appearances)
    SessionInterval.objects.filter(session=session).delete()
    SessionInterval.objects.bulk_create(
        SessionInterval(session=session, after_order_number=number, minutes=length)
        for number, length in sorted(intervals.items())
    )
    if minutes is not None:
        by_place = Counter[int]()
        for after, length in intervals.items():
            by_place[sum(number <= after for number in numbers)] += length
        starts, end = planned_starts(session.starts_at, len(appearances), minutes=minutes, intervals=by_place)
        _store(session, appearances, starts, end)
    _note_and_announce(actor, session, appearances, before)


@transaction.atomic
def planned_times_clear(*, actor: Actor, session_id: int) -> None:
    """Clear the planned starts and the planned end of a session; its intervals stay.

    Raises PermissionDenied, Session.DoesNotExist.
    """
    session = _locked(actor, session_id)
    appearances = _appearances(session)
    before = _fields(session, appearances)
    _store(session, appearances, [None] * len(appearances), None)
    _note_and_announce(actor, session, appearances, before)


@transaction.atomic
def planned_times_shift(
    *, actor: Actor, session_id: int, appearance_id: int, minutes: int, version: str | None = None
) -> PlannedShift:
    """Shift the planned times from this appearance on, with the end, by so many minutes; negative ones are earlier.

    `version` is the one of the times that the editor has seen. Raises PermissionDenied, Session.DoesNotExist,
    ValidationError for other times, for an appearance without a planned time, and if it would begin too early.
    """
    session = _locked(actor, session_id)
    appearances = _appearances(session)
    if version is not None and version != _version(session, appearances):
        raise ValidationError(_CHANGED)
    first = next((each for each in appearances if each.pk == appearance_id), None)
    if first is None or first.planned_start is None:
        raise ValidationError({"appearance": _UNPLANNED})
    by = timedelta(minutes=minutes)
    earlier = [each.planned_start for each in appearances if each.order_number < first.order_number]
    if first.planned_start + by < max([session.starts_at, *filter(None, earlier)]):
        raise ValidationError({"by": ValidationError(_BEFORE, params={"name": first.participant.name})})
    before = _fields(session, appearances)
    starts = [
        each.planned_start + by
        if each.planned_start and each.order_number >= first.order_number
        else each.planned_start
        for each in appearances
    ]
    _store(session, appearances, starts, session.planned_end + by if session.planned_end else None)
    _note_and_announce(actor, session, appearances, before)
    return PlannedShift(session_id, appearance_id, minutes, _version(session, appearances))


def _locked(actor: Actor, session_id: int) -> Session:
    require(can_edit_competition(actor), _NOT_ALLOWED)
    return Session.objects.select_for_update(no_key=True).get(pk=session_id)


def _appearances(session: Session) -> list[Appearance]:
    found = Appearance.objects.filter(session=session).select_related("participant")
    return list(found.order_by("order_number"))


def _store(
    session: Session,
    appearances: Sequence[Appearance],
    starts: Sequence[datetime | None],
    end: datetime | None,
) -> None:
    for appearance, start in zip(appearances, starts, strict=True):
        appearance.planned_start = start
    Appearance.objects.bulk_update(appearances, ["planned_start"])
    session.planned_end = end
    session.save(update_fields=["planned_end"])


def _version(session: Session, appearances: Sequence[Appearance]) -> str:
    times = [f"{each.pk} {each.order_number} {each.planned_start}" for each in appearances]
    return version_of({"t": [*times, str(session.planned_end)]}).partition(":")[2]


def _fields(session: Session, appearances: Sequence[Appearance]) -> dict[str, str]:
    """Return the planned times as texts for the audit."""
    starts = [each.planned_start for each in appearances if each.planned_start]
    found = SessionInterval.objects.filter(session=session).order_by("after_order_number")
    intervals = [f"{number}: {minutes}" for number, minutes in found.values_list("after_order_number", "minutes")]
    return {
        "planned_starts": ", ".join(map(venue_clock, starts)),
        "planned_end": venue_clock(session.planned_end) if session.planned_end else "",
        "intervals": ", ".join(intervals),
    }


def _note_and_announce(
    actor: Actor, session: Session, appearances: Sequence[Appearance], before: dict[str, str]
) -> None:
    after = _fields(session, appearances)
    if before == after:
        return
    change_note(
        actor=actor, action="session.plan", subject_id=session.pk, name=session.title, before=before, after=after
    )
    publish(PlannedTimesChanged(session.pk, tuple(each.participant_id for each in appearances)))
