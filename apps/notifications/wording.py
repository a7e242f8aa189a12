"""What notifications say: one sentence each, of what holds now; a notification that no longer holds says nothing.

Times are those of the venue, named, with the member's own beside them where the clocks differ.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

from django.utils import translation
from django.utils.dateformat import format as formatted

from apps.competition.selectors.public.plans import Advance, Plan, advances_get, plans_get
from apps.competition.selectors.public.prizes import prizes_received
from apps.core.database.fields import venue_zone
from apps.core.texts import texts
from apps.notifications.enums import Kind
from apps.notifications.limits import SOON_PLACES
from apps.notifications.zones import place_of

_OUTCOMES = frozenset([Kind.ADVANCED, Kind.PRIZES])
_DATE, _TIME = "l, j F", "H:i"


class Notified(Protocol):
    """A notification as it is stored."""

    @property
    def id(self) -> int:
        """Its id."""

    @property
    def kind(self) -> str:
        """What it is of: a value of Kind."""

    @property
    def participant_id(self) -> int:
        """The performer."""

    @property
    def session_id(self) -> int | None:
        """The session, if it is of one."""

    @property
    def stage_id(self) -> int | None:
        """The stage, if it is of one."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a notification says, and the performer's name in it."""

    name: str
    text: str


def sentences(rows: Collection[Notified], *, language: str, zone: ZoneInfo) -> Mapping[int, Sentence]:
    """Return the sentences of notifications by id, without those that no longer hold. At most three queries.

    `zone` is the reader's.
    """
    advancing = [row for row in rows if row.kind == Kind.ADVANCED]
    awarded = [row for row in rows if row.kind == Kind.PRIZES]
    places = {(row.session_id, row.participant_id) for row in rows if row.kind not in _OUTCOMES and row.session_id}
    plans = plans_get(places=places) if places else {}
    advances = _advances(advancing) if advancing else {}
    names = _receiving(awarded) if awarded else {}
    made: dict[int, Sentence] = {}
    for row in rows:
        if row.kind == Kind.ADVANCED:
            advance = advances.get((row.stage_id or 0, row.participant_id))
            made |= {row.id: Sentence(advance.name, _advanced(advance, language))} if advance else {}
        elif row.kind == Kind.PRIZES:
            name = names.get((row.stage_id or 0, row.participant_id))
            made |= (
                {row.id: Sentence(name, texts(language)("{name} receives a prize").format(name=name))} if name else {}
            )
        elif plan := plans.get((row.session_id or 0, row.participant_id)):
            text = _planned(row.kind, plan, language, zone)
            made |= {row.id: Sentence(plan.name, text)} if text else {}
    return made


def _advances(rows: Collection[Notified]) -> Mapping[tuple[int, int], Advance]:
    stages = {row.stage_id for row in rows if row.stage_id is not None}
    return advances_get(stage_ids=stages, participant_ids={row.participant_id for row in rows})


def _receiving(rows: Collection[Notified]) -> Mapping[tuple[int, int], str]:
    stages = {row.stage_id for row in rows if row.stage_id is not None}
    return prizes_received(stage_ids=stages, participant_ids={row.participant_id for row in rows})


def _awarded(name: str, language: str) -> str:
    return texts(language)("{name} receives a prize").format(name=name)


def _advanced(advance: Advance, language: str) -> str:
    return texts(language)("{name} advances from {stage}").format(name=advance.name, stage=advance.stage)


def _planned(kind: str, plan: Plan, language: str, zone: ZoneInfo) -> str:
    """Return the sentence about an appearance, empty if it no longer holds."""
    if kind == Kind.MOVED:
        pattern, at = _moved(plan, language)
    elif kind == Kind.NOW:
        pattern, at = _now(plan, language), None
    elif kind == Kind.UNDONE:
        pattern, at = _undone(plan, language), plan.planned_start
    else:
        pattern, at = _soon(plan, language), plan.planned_start
    when = time_words(at, language=language, zone=zone, has_date=kind == Kind.MOVED) if at else ""
    return pattern.format(name=plan.name, session=plan.session, when=when)


def _now(plan: Plan, language: str) -> str:
    holds = plan.is_live and plan.is_performing
    return texts(language)("{name} is on stage now ({session})") if holds else ""


def _undone(plan: Plan, language: str) -> str:
    t = texts(language)
    if not plan.is_live or plan.has_begun or plan.is_withdrawn:
        return ""
    if plan.planned_start:
        return t("A correction: {name} has not played yet, and is planned in {session} at {when}")
    return t("A correction: {name} has not played yet ({session})")


def _soon(plan: Plan, language: str) -> str:
    t = texts(language)
    if not plan.is_live or plan.has_begun:
        return ""
    if plan.places_before == 0:
        return t("{name} plays next ({session})")
    if plan.places_before < SOON_PLACES:
        return t("{name} is the next but one ({session})")
    return t("{name} is planned in {session} at {when}") if plan.planned_start else ""


def _moved(plan: Plan, language: str) -> tuple[str, datetime | None]:
    """Return the pattern of the sentence, and the time in it."""
    t = texts(language)
    if plan.is_withdrawn:
        return t("{name} no longer plays in {session}"), None
    if plan.has_begun:
        return "", None
    if plan.planned_start:
        return t("{name} now plays in {session} on {when}"), plan.planned_start
    return t("{name} now plays in {session}, which begins on {when}"), plan.starts_at


def time_words(at: datetime, *, language: str, zone: ZoneInfo, has_date: bool) -> str:
    """Return a time at the venue, such as "Saturday, 4 October, 17:00 (Warsaw; 11:00 in New York)".

    The reader's own time stands beside it where the clocks of the two zones differ, with its date where that differs.
    Without `has_date` the venue's date is left out.
    """
    t, venue = texts(language), venue_zone()
    here, own = at.astimezone(venue), at.astimezone(zone)
    pattern = f"{_DATE}, {_TIME}" if has_date else _TIME
    with translation.override(language):
        shown = formatted(here, pattern)
        own_shown = formatted(own, f"{_DATE}, {_TIME}" if own.date() != here.date() else _TIME)
    if here.utcoffset() == own.utcoffset():
        return t("{time} ({place})").format(time=shown, place=place_of(venue))
    words = t("{time} ({place}; {own_time} in {own_place})")
    return words.format(time=shown, place=place_of(venue), own_time=own_shown, own_place=place_of(zone))
