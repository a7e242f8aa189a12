"""Writes of sessions and their appearances."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import partial
from types import MappingProxyType
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.dependents import session_dependents
from apps.competition.events import AppearancesChanged, CountingAppearanceChanged, SessionChanged
from apps.competition.models import Appearance, Participant, Session, SessionWithdrawal
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.sessions import session_fields, session_values
from apps.competition.services.advancements import not_advancing
from apps.competition.services.pianos import order_pianos_set
from apps.competition.services.repeated import (
    participants_hold,
    repetitions,
    repetitions_confirm,
    session_stage_save,
)
from apps.competition.services.running_order import (
    RunningOrder,
    appearance_dependents_delete_confirmed,
    names_of,
    running_order_set,
)
from apps.competition.services.stages import stage_for_session
from apps.competition.youtube import video_of
from apps.core.database.fields import venue_clock, venue_zone
from apps.core.edits import FieldErrors, Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.id_orders import IdOrder
from apps.core.permissions import require

NOT_ALLOWED = "Only administrators edit sessions."
_LABELS = {"starts_at": "Date"}
_NO_PIANOS: Mapping[int, int] = MappingProxyType({})
_MINUTE = "%Y-%m-%d %H:%M"
_ORDER = "participant_ids"
_EDITED = {"date": "Date and time", "youtube_id": "Video", _ORDER: "The order of playing"}
_AUDIT_NAMES = {"date": "starts_at", "stage": "stage", _ORDER: "participants"}  # where they differ from the form


@transaction.atomic
def session_create(
    *,
    actor: Actor,
    title: str,
    starts_at: datetime,
    description: str = "",
    youtube_id: str = "",
    orchestra: str = "",
    conductor: str = "",
    stage_id: int | None = None,
    participant_ids: Sequence[int | None] = (),
    pianos: Mapping[int, int] = _NO_PIANOS,
    confirmed: bool = False,
) -> Session:
    """Create a session that is not live, with appearances in this order, and return it.

    Without `stage_id` it uses the only stage, or creates a first one. `youtube_id` may be a video's address. `pianos`
    are ids by participant. Raises PermissionDenied, ValidationError, at `stage` if there are several stages, and unless
    `confirmed` ConfirmationNeeded for appearances that are repeated.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    errors = FieldErrors()
    session = Session(stage_id=errors.checked(partial(stage_for_session, actor=actor, chosen=stage_id), 0))
    texts = {"title": title, "description": description, "orchestra": orchestra, "conductor": conductor}
    _write(errors, session, starts_at=starts_at, youtube_id=youtube_id, **texts)
    session.save()
    order = RunningOrder()
    if participant_ids:
        order = running_order_set(actor, session, participant_ids, confirmed=confirmed)
        order_pianos_set(actor, session, pianos)
    after = session_fields(session, list(order.names))
    change_note(actor=actor, action="session.create", subject_id=session.pk, after=after)
    _announce(session, order.participant_ids)
    return session


@transaction.atomic
def session_update(
    *,
    actor: Actor,
    session_id: int,
    title: str,
    starts_at: datetime,
    description: str,
    youtube_id: str,
    orchestra: str | None = None,
    conductor: str | None = None,
    stage_id: int | None = None,
    participant_ids: Sequence[int | None] | None = None,
    pianos: Mapping[int, int] = _NO_PIANOS,
    version: str | None = None,
    confirmed: bool = False,
) -> Saved[Session]:
    """Save a session and return it; its live state is not changed.

    `participant_ids` is the complete order; None keeps the stored one, also of orchestra and conductor. An order that
    another editor changed since `version` is merged by participant: it conflicts only if both moved the same one.
    Appearances that stay keep their programs and ratings. `pianos` are ids by participant; those of others stay.
    Without `confirmed` it raises HasDependents before a rated appearance is removed, and ConfirmationNeeded for
    appearances that become repeated. Raises PermissionDenied, Session.DoesNotExist, EditConflict, ValidationError.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    current = names_of(list(session.appearances.order_by("order_number").values_list("participant_id", flat=True)))
    before = session_fields(session, list(current.values()))
    errors = FieldErrors()
    video = errors.checked(partial(video_of, youtube_id), session.youtube_id)
    given = {"title": title, "date": starts_at, "description": description, "youtube_id": video}
    order_given = None if participant_ids is None else _order_given(participant_ids)
    optional = {"orchestra": orchestra, "conductor": conductor, "stage": stage_id, _ORDER: order_given}
    given |= {name: value for name, value in optional.items() if value is not None}
    stored = session_values(session, list(current))
    words = {name: before[audit_name] for name, audit_name in _AUDIT_NAMES.items()}
    fields, kept_fields = edit_merge(
        version=version, stored=stored, given=given, labels=_EDITED, words=words, names=current
    )
    order, stage, stage_before = fields.pop(_ORDER), fields.pop("stage"), session.stage_id
    if stage != stage_before:
        chosen = partial(stage_for_session, actor=actor, chosen=stage)
        session.stage_id = errors.checked(chosen, stage_before)
    _write(errors, session, starts_at=fields.pop("date"), **fields)
    questions = _save(session, {*current, *order}, is_moved=session.stage_id != stage_before)
    is_reordered, set_order = list(order) != list(current), RunningOrder(tuple(current), tuple(current.values()))
    if is_reordered:
        set_order = running_order_set(actor, session, order, confirmed=confirmed, questions=questions)
    else:
        repetitions_confirm(list(questions.values()), confirmed=confirmed)
    order_pianos_set(actor, session, pianos)
    _update_note(actor, session, before, list(current.values()), set_order)
    _announce(session, set_order.participant_ids, is_reordered=is_reordered)
    if session.stage_id != stage_before:
        publish(CountingAppearanceChanged((stage_before, session.stage_id), (session.pk,), set_order.participant_ids))
    return Saved(session, kept_fields, set_order.undo_id)


@transaction.atomic
def session_delete(*, actor: Actor, session_id: int, confirmed: bool = False) -> None:
    """Delete a session with its appearances, programs, comments and reactions.

    A session with ratings, comments or reactions is deleted only when `confirmed`. Raises PermissionDenied,
    Session.DoesNotExist, HasDependents, ValidationError while the session is live.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    session = Session.objects.select_for_update().get(pk=session_id)
    if session.is_live:
        raise ValidationError("This session is live. End it first.")
    appearances = list(Appearance.objects.filter(session_id=session_id).order_by("order_number"))
    names = names_of([appearance.participant_id for appearance in appearances])
    appearance_dependents_delete_confirmed(
        actor, appearances, confirmed=confirmed, besides=session_dependents(session_id)
    )
    before = session_fields(session, list(names.values()))
    session.delete()
    change_note(actor=actor, action="session.delete", subject_id=session_id, before=before)
    publish(SessionChanged(session_id=session_id, participant_ids=tuple(names)))
    publish(AppearancesChanged(session_id=session_id, participant_ids=tuple(names)))


def _order_given(participant_ids: Sequence[int | None]) -> Sequence[int | None]:
    """Return the order as one that is merged by participant; unchanged if `names_of` refuses it."""
    known = [pk for pk in participant_ids if pk is not None]
    return IdOrder(known) if len(set(known)) == len(participant_ids) else list(participant_ids)


def _save(
    session: Session, participant_ids: Collection[int | None], *, is_moved: bool
) -> Mapping[int, ValidationError]:
    """Save the locked session; return the questions about appearances that become repeated in its new stage.

    All participants that the edit concerns are locked at once, in one order, against a deadlock of two edits.
    """
    if not is_moved:
        session.save()
        return {}
    participants_hold([pk for pk in participant_ids if pk is not None])
    questions = session_stage_save(session)
    playing = Appearance.objects.filter(session_id=session.pk).values_list("participant_id", flat=True)
    return {**not_advancing(session.stage_id, list(playing)), **questions}


def _update_note(
    actor: Actor, session: Session, before: dict[str, Any], old: Sequence[str], order: RunningOrder
) -> None:
    """Write the audit entry of a saved session: removed and added names, and both orders if others moved too.

    `old` are the names in the order before.
    """
    after, new = session_fields(session, list(order.names)), order.names
    added = [name for name in new if name not in old]
    if [name for name in old if name in new] == [name for name in new if name in old] and (added or order.removed):
        orders = _AUDIT_NAMES[_ORDER]
        before, after = ({name: each for name, each in side.items() if name != orders} for side in (before, after))
    more = {name: names for name, names in (("removed", list(order.removed)), ("added", added)) if names}
    change_note(
        actor=actor,
        action="session.update",
        subject_id=session.pk,
        name=session.title,
        before=before,
        after=after,
        **more,
    )


def _write(
    errors: FieldErrors,
    session: Session,
    *,
    title: str,
    starts_at: datetime,
    description: str,
    youtube_id: str,
    orchestra: str,
    conductor: str,
) -> None:
    """Set the session's columns and validate it. Raises ValidationError, including the `errors` so far."""
    session.title = title.strip()
    session.starts_at = starts_at
    session.description = description.strip()
    session.orchestra = " ".join(orchestra.split())
    session.conductor = " ".join(conductor.split())
    session.youtube_id = errors.checked(partial(video_of, youtube_id), "")
    errors.checked(partial(_end_check, session), None)
    errors.checked(partial(row_validate, session, labels=_LABELS, exclude=("planned_end",)), None)
    errors.require_none()


def _end_check(session: Session) -> None:
    """Raise ValidationError at `date` for a session that would start after its planned end."""
    if session.planned_end and session.starts_at >= session.planned_end:
        end = venue_clock(session.planned_end, _MINUTE)
        why = "The session would start after its planned end, %(end)s. Clear or shift its planned times first."
        raise ValidationError({"date": ValidationError(why, params={"end": end})})


def _announce(session: Session, participant_ids: tuple[int, ...], *, is_reordered: bool = True) -> None:
    """Publish a changed session, and its appearances if they changed."""
    publish(SessionChanged(session_id=session.pk, participant_ids=participant_ids))
    if is_reordered and participant_ids:
        publish(AppearancesChanged(session_id=session.pk, participant_ids=participant_ids))


@transaction.atomic
def appearance_add(
    *, actor: Actor, session_id: int, participant_id: int, order_number: int | None = None, confirmed: bool = False
) -> Appearance:
    """Add an appearance of a participant at `order_number`, by default the last one, and return it.

    It is repeated if another one counts in the stage. Raises PermissionDenied, Session.DoesNotExist, ValidationError,
    and unless `confirmed` ConfirmationNeeded for a repeated one.
    """
    require(can_edit_competition(actor), "Only administrators edit sessions.")
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    participant = Participant.objects.select_for_update(no_key=True).filter(pk=participant_id).first()
    if participant is None:
        raise ValidationError({"participant_id": "Selected participant not found"})
    if order_number is None:
        rows = (Appearance.objects, SessionWithdrawal.objects)
        found = [each.filter(session_id=session_id).aggregate(last=Max("order_number"))["last"] or 0 for each in rows]
        order_number = max(found) + 1
    appearance = Appearance(session=session, participant_id=participant_id, order_number=order_number)
    row_validate(appearance)
    questions = repetitions(session, (participant_id,))
    outside = not_advancing(session.stage_id, (participant_id,))
    repetitions_confirm([*questions.values(), *outside.values()], confirmed=confirmed)
    appearance.is_repeated = bool(questions)
    SessionWithdrawal.objects.filter(session=session, participant=participant).delete()
    appearance.save()
    after = {"session_id": session_id, "participant": participant.name, "order_number": order_number}
    after |= {"repeated": True} if questions else {}
    change_note(actor=actor, action="place.add", subject_id=appearance.pk, after=after)
    publish(AppearancesChanged(session_id, (participant_id,)))
    return appearance


def venue_moment(*, date: str, time: str, stored: datetime | None = None) -> datetime:
    """Return the moment of a day ("2027-10-12") and a time ("17:00") in the venue's time zone.

    `stored` is the moment that is edited: it stays if the clock shows the same day and time. Another ambiguous time,
    when clocks are set back, is the first of the two. Raises ValidationError at `date` and `time`, also for a time that
    clocks skip.
    """
    day, clock = _day(date), _clock(time)
    if day is None or clock is None:
        missing = {"date": "Date is required."} if day is None else {}
        raise ValidationError({**missing, **({"time": "Time is required."} if clock is None else {})})
    moment = datetime.combine(day, clock, tzinfo=venue_zone())
    if stored is not None and f"{stored.astimezone(venue_zone()):{_MINUTE}}" == f"{moment:{_MINUTE}}":
        return stored
    if moment.astimezone(UTC).astimezone(venue_zone()).replace(tzinfo=None) != moment.replace(tzinfo=None):
        raise ValidationError({"time": "There is no such time that day: clocks are set forward."})
    return moment


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def _clock(text: str) -> time | None:
    try:
        return datetime.strptime(text.strip().replace(".", ":"), "%H:%M").time()  # noqa: DTZ007 - a bare venue time
    except ValueError:
        return None
