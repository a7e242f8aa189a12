"""Writes of stages, sessions and the places in them."""

from datetime import datetime

from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.events import PlaceAdded, SessionChanged
from apps.competition.models import Session, SessionParticipant, Stage
from apps.competition.permissions import can_edit_competition
from apps.core.events import publish
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit sessions."


@transaction.atomic
def stage_create(*, actor: Actor, name: str, order_number: int) -> Stage:
    """Create a stage and return it; no screen shows one before a session belongs to it.

    Raises PermissionDenied, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    stage = Stage(name=name.strip(), order_number=order_number)
    stage.full_clean()
    stage.save()
    return stage


@transaction.atomic
def session_create(
    *, actor: Actor, stage_id: int, title: str, starts_at: datetime, description: str = "", youtube_id: str = ""
) -> Session:
    """Create a session that is not live and return it. Raises PermissionDenied, ValidationError."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    session = Session(
        stage_id=stage_id,
        title=title.strip(),
        starts_at=starts_at,
        description=description.strip(),
        youtube_id=youtube_id.strip(),
    )
    session.full_clean()
    session.save()
    publish(SessionChanged(session_id=session.pk))
    return session


@transaction.atomic
def session_update(
    *,
    actor: Actor,
    session_id: int,
    stage_id: int,
    title: str,
    starts_at: datetime,
    description: str,
    youtube_id: str,
) -> Session:
    """Write a session anew and return it; its places and whether it is live stay.

    Raises PermissionDenied, Session.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    session.stage_id = stage_id
    session.title = title.strip()
    session.starts_at = starts_at
    session.description = description.strip()
    session.youtube_id = youtube_id.strip()
    session.full_clean()
    session.save()
    places = SessionParticipant.objects.filter(session_id=session_id).order_by("participant_id")
    participant_ids = tuple(places.values_list("participant_id", flat=True))
    publish(SessionChanged(session_id=session_id, participant_ids=participant_ids))
    return session


@transaction.atomic
def place_add(
    *, actor: Actor, session_id: int, participant_id: int, order_number: int | None = None
) -> SessionParticipant:
    """Give a participant a place in a session, the next one unless `order_number` says, and return it.

    Raises PermissionDenied, Session.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    Session.objects.select_for_update(no_key=True).get(pk=session_id)
    if order_number is None:
        last = SessionParticipant.objects.filter(session_id=session_id).order_by("-order_number").first()
        order_number = last.order_number + 1 if last else 1
    place = SessionParticipant(session_id=session_id, participant_id=participant_id, order_number=order_number)
    place.full_clean()
    place.save()
    publish(PlaceAdded(session_id=session_id, participant_id=participant_id))
    return place
