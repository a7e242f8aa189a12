"""Writes of the evening itself: which session is live, and who is on stage.

Two administrators at once: both first lock session rows, always by ascending id, and only then read what they change.
A session that is not live has no performer: ending it, or setting another one live, clears its stage.
"""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.events import LiveChanged, PerformerChanged
from apps.competition.models import Session, SessionParticipant
from apps.competition.permissions import can_run_sessions
from apps.core.events import publish
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators run the live session."


@transaction.atomic
def session_set_live(*, actor: Actor, session_id: int) -> Session:
    """Make this the one live session and return it; any other one ends, and its performer leaves the stage.

    A session that is live already stays as it is. Raises PermissionDenied, Session.DoesNotExist.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    # All of them: two that were locked one each could both go live.
    locked = {session.pk: session for session in Session.objects.select_for_update(no_key=True).order_by("pk")}
    if session_id not in locked:
        raise Session.DoesNotExist(f"There is no session {session_id}.")
    chosen = locked[session_id]
    if chosen.is_live:
        return chosen
    ended = [pk for pk, session in locked.items() if session.is_live]
    _stage_clear([*ended, session_id])  # nobody is on a stage before the evening begins
    Session.objects.filter(pk__in=ended).update(is_live=False)
    chosen.is_live = True
    chosen.save(update_fields=["is_live"])
    _live_changed(session_id, *ended)
    return chosen


@transaction.atomic
def session_end(*, actor: Actor, session_id: int) -> Session:
    """End the live session and return it; its performer leaves the stage.

    A session that is not live stays as it is. Raises PermissionDenied, Session.DoesNotExist.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    if not session.is_live:
        return session
    _stage_clear([session_id])
    session.is_live = False
    session.save(update_fields=["is_live"])
    _live_changed(session_id)
    return session


@transaction.atomic
def performer_set(*, actor: Actor, session_participant_id: int) -> SessionParticipant:
    """Put this place's participant on stage, in place of whoever was there, and return the place.

    Raises PermissionDenied, SessionParticipant.DoesNotExist, ValidationError unless the session is live.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    session_id = SessionParticipant.objects.values_list("session_id", flat=True).get(pk=session_participant_id)
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    if not session.is_live:
        raise ValidationError("Set the session live first, then choose who performs.")
    place = SessionParticipant.objects.get(pk=session_participant_id)
    if place.is_performing:
        return place
    left = _stage_clear([session_id])
    place.is_performing = True
    place.save(update_fields=["is_performing"])
    publish(PerformerChanged(session_id=session_id, participant_ids=(place.participant_id, *left)))
    return place


@transaction.atomic
def performer_clear(*, actor: Actor, session_id: int) -> Session:
    """Leave the session's stage empty and return the session.

    Raises PermissionDenied, Session.DoesNotExist.
    """
    require(can_run_sessions(actor), _NOT_ALLOWED)
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    left = _stage_clear([session_id])
    if left:
        publish(PerformerChanged(session_id=session_id, participant_ids=left))
    return session


def _stage_clear(session_ids: list[int]) -> tuple[int, ...]:
    """Take the performers of these locked sessions off stage and return the participants' ids."""
    performing = SessionParticipant.objects.filter(session__in=session_ids, is_performing=True)
    left = tuple(performing.order_by("pk").values_list("participant_id", flat=True))
    if left:
        performing.update(is_performing=False)
    return left


def _live_changed(*session_ids: int) -> None:
    """Announce that these sessions went live or ended: everyone who plays in them has a page that says so."""
    places = SessionParticipant.objects.filter(session__in=session_ids)
    participants = places.order_by("participant_id").values_list("participant_id", flat=True).distinct()
    publish(LiveChanged(session_ids=session_ids, participant_ids=tuple(participants)))
