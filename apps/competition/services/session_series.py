"""Makes several sessions of a stage at once, with their performers and planned times, and takes them back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor
from apps.competition.dependents import appearance_dependents, session_dependents
from apps.competition.limits import PERFORMERS_MOST, SERIES_MOST
from apps.competition.models import Appearance, ProgramEntry, Session
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.advancements import stage_candidates
from apps.competition.selectors.admin.order_lines import order_lines_read
from apps.competition.selectors.admin.session_notes import session_notes
from apps.competition.selectors.admin.sessions import series_since
from apps.competition.series_lines import SeriesLine, series_read, shared_out
from apps.competition.services.advancements import not_advancing
from apps.competition.services.pianos import pianos_of_order
from apps.competition.services.planned_times import planned_times_set
from apps.competition.services.repeated import repetitions
from apps.competition.services.sessions import session_create, session_delete
from apps.competition.services.stages import stage_for_session
from apps.core.database.fields import venue_clock
from apps.core.edits import ConfirmationNeeded
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit sessions."
_OPEN = "Lines that name no participant or several ones: %(lines)s. Please write the start number or the full name."
_REPEATED = "Lines that repeat a performer: %(lines)s."
_NONE_FROM = "Nobody who may play in this stage and is in no session of it has a start number from %(number)d on."
_UNTIMED = "Planned times need performers: give a list or a first start number, or leave the minutes empty."
_SESSION = "%(number)d. %(title)s, %(when)s: %(n)d performers"
_SESSION_OF_ONE = "%(number)d. %(title)s, %(when)s: 1 performer"
_GONE = "This can no longer be taken back."
_USED = "“%(title)s” is in use already, so nothing was taken back."
_SHOWN = 12  # numbers of lines in a sentence


@dataclass(frozen=True, slots=True)
class Series:
    """What to make: a line for each session, and the performers, pasted or all from a start number on.

    All are those who advance into the stage, if that is published.

    `minutes` is the length of a performance for planned times, `intervals` those of each session.
    """

    lines: str
    description: str
    orchestra: str = ""
    conductor: str = ""
    performers: str = ""
    first_number: int | None = None
    minutes: int | None = None
    intervals: Mapping[int, int] | None = None


@transaction.atomic
def session_series_create(*, actor: Actor, stage_id: int | None, series: Series, confirmed: bool = False) -> list[int]:
    """Make the sessions of a series with their performers and planned times, and return their ids.

    All are made or none. Without `confirmed` nothing is stored, and ConfirmationNeeded lists the sessions with their
    performers, and what is unusual about their times (`session_notes`). Raises PermissionDenied, ValidationError by
    field.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    lines = series_read(series.lines)
    stage_id = stage_for_session(actor=actor, chosen=stage_id)
    performers = _performers(series, stage_id)
    pianos = pianos_of_order(actor=actor, text=series.performers, field="performers", confirmed=True)
    if not performers and (series.minutes or series.intervals):
        raise ValidationError({"performers": _UNTIMED})
    counts = shared_out(lines, len(performers))
    following = iter(performers)
    titles = _titles(stage_id, lines)
    repeated = list(repetitions(Session(stage_id=stage_id), performers).values()) if performers else []
    outside = not_advancing(stage_id, performers).values() if performers else ()
    made = [
        _make(
            actor,
            stage_id,
            series,
            line=line,
            title=title,
            participant_ids=list(islice(following, count)),
            pianos=pianos,
        )
        for line, title, count in zip(lines, titles, counts, strict=True)
    ]
    Session.objects.filter(pk__in=made).update(created_at=Now())  # one time for all: `series_recent`
    if not confirmed:
        notes = [ValidationError(note.text, params=dict(note.params)) for note in session_notes(session_ids=made)]
        raise ConfirmationNeeded([*_preview(made), *notes, *repeated, *outside])
    return made


def _performers(series: Series, stage_id: int) -> list[int]:
    if series.performers:
        draft = order_lines_read(series.performers, ())
        if draft.open_lines:
            named = [f"{line.number} (“{line.text}”)" for line in draft.open_lines]
            raise ValidationError({"performers": ValidationError(_OPEN, params={"lines": _listed(named)})})
        if draft.repeated:
            named = list(map(str, draft.repeated))
            raise ValidationError({"performers": ValidationError(_REPEATED, params={"lines": _listed(named)})})
        return list(draft.participant_ids)
    if series.first_number is None:
        return []
    found = stage_candidates(stage_id).filter(start_number__gte=series.first_number)
    ids = list(found.order_by("start_number").values_list("pk", flat=True)[: SERIES_MOST * PERFORMERS_MOST])
    if not ids:
        why = ValidationError(_NONE_FROM, params={"number": series.first_number})
        raise ValidationError({"first_number": why})
    return ids


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def _titles(stage_id: int, lines: Sequence[SeriesLine]) -> list[str]:
    """Return the titles; a session without one is numbered after those that the stage has."""
    before = Session.objects.filter(stage_id=stage_id).count()
    stage = Session(stage_id=stage_id).stage.name
    return [line.title or f"{stage}, session {before + at}" for at, line in enumerate(lines, start=1)]


def _make(
    actor: Actor,
    stage_id: int,
    series: Series,
    *,
    line: SeriesLine,
    title: str,
    participant_ids: list[int],
    pianos: Mapping[int, int],
) -> int:
    session = session_create(
        actor=actor,
        title=title,
        starts_at=line.starts_at,
        description=series.description,
        orchestra=series.orchestra,
        conductor=series.conductor,
        stage_id=stage_id,
        participant_ids=participant_ids,
        pianos={pk: pianos[pk] for pk in participant_ids if pk in pianos},
        confirmed=True,
    )
    if series.minutes or series.intervals:
        planned_times_set(actor=actor, session_id=session.pk, minutes=series.minutes, intervals=series.intervals or {})
    if line.ends_at:
        Session.objects.filter(pk=session.pk).update(planned_end=line.ends_at)
    return session.pk


def _preview(session_ids: Sequence[int]) -> list[ValidationError]:
    """Return a line for each session, and below it one for each of its performers."""
    sentences: list[ValidationError] = []
    sessions = Session.objects.filter(pk__in=session_ids).prefetch_related(
        "appearances__participant", "appearances__piano"
    )
    for number, session in enumerate(sorted(sessions, key=lambda each: session_ids.index(each.pk)), start=1):
        playing = sorted(session.appearances.all(), key=lambda each: each.order_number)
        about = {"number": number, "title": session.title, "when": _when(session), "n": len(playing)}
        sentences.append(ValidationError(_SESSION_OF_ONE if len(playing) == 1 else _SESSION, params=about))
        sentences += (ValidationError("%(performer)s", params={"performer": _line(each)}) for each in playing)
    return sentences


def _when(session: Session) -> str:
    start = venue_clock(session.starts_at, "%Y-%m-%d %H:%M")
    return f"{start}–{venue_clock(session.planned_end)}" if session.planned_end else start


def _line(appearance: Appearance) -> str:
    """Return "1. 17 Ada Alt · 10:00 · Pleyel 280": its place, start number, name, planned time, piano.

    An em space sets it below its session, also in a question that is a text.
    """
    participant, at = appearance.participant, appearance.planned_start
    number = f"{participant.start_number} " if participant.start_number else ""
    known = [f"{number}{participant.name}", venue_clock(at) if at else "", str(appearance.piano or "")]
    return f"\u2003{appearance.order_number}. {' · '.join(filter(None, known))}"


@transaction.atomic
def session_series_undo(*, actor: Actor, session_id: int) -> int:
    """Delete the sessions that were made together with this one, and return how many.

    Only within UNDO_LIFETIME, and while nothing depends on any of them. Raises PermissionDenied, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    made_at = series_since().filter(pk=session_id).values("created_at")
    found = Session.objects.select_for_update().filter(created_at__in=made_at).order_by("pk")
    sessions = list(found)
    if not sessions:
        raise ValidationError(_GONE)
    for session in sessions:
        if _is_used(session):
            raise ValidationError(_USED, params={"title": session.title})
    for session in sessions:
        session_delete(actor=actor, session_id=session.pk)
    return len(sessions)


def _is_used(session: Session) -> bool:
    playing = Appearance.objects.filter(session=session)
    ids = list(playing.values_list("pk", flat=True))
    has_programs = ProgramEntry.objects.filter(appearance__in=ids).exists()
    was_live = session.is_live or session.ended_at is not None
    return was_live or has_programs or bool(session_dependents(session.pk)) or bool(appearance_dependents(ids))
