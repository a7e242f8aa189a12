"""Writes of single places in a session."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import PlacesChanged
from apps.competition.models import Participant, Session, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.services.running_order import renumber, seats_remove
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.row_validation import checked

_NOT_ALLOWED = "Only administrators edit sessions."
_STEPS = {"up": -1, "down": 1}


@transaction.atomic
def place_add(
    *, actor: Actor, session_id: int, participant_id: int, order_number: int | None = None
) -> SessionParticipant:
    """Give a participant a place in a session, the next one unless `order_number` says, and return it.

    Raises PermissionDenied, Session.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    Session.objects.select_for_update(no_key=True).get(pk=session_id)
    participant = Participant.objects.select_for_update(no_key=True).filter(pk=participant_id).first()
    if participant is None:
        raise ValidationError({"participant_id": "Selected participant not found"})
    if order_number is None:
        last = SessionParticipant.objects.filter(session_id=session_id).order_by("-order_number").first()
        order_number = last.order_number + 1 if last else 1
    place = SessionParticipant(session_id=session_id, participant_id=participant_id, order_number=order_number)
    checked(place)
    place.save()
    after = {"session_id": session_id, "participant": participant.name, "order_number": order_number}
    change_note(actor=actor, action="place.add", subject_id=place.pk, after=after)
    publish(PlacesChanged(session_id, (participant_id,)))
    return place


@transaction.atomic
def place_move(*, actor: Actor, place_id: int, direction: str) -> SessionParticipant:
    """Let a place change with the one before ("up") or after it ("down") and return it; at the end it stays.

    Raises PermissionDenied, SessionParticipant.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    if direction not in _STEPS:
        raise ValidationError("A place moves up or down.")
    session_id, places = _locked(place_id)
    index = next(number for number, place in enumerate(places) if place.pk == place_id)
    place, other = places[index], index + _STEPS[direction]
    if 0 <= other < len(places):
        numbers = place.order_number, places[other].order_number
        renumber([(numbers[1], place), (numbers[0], places[other])])
        after, before = ({"order_number": number} for number in (numbers[1], numbers[0]))
        change_note(
            actor=actor,
            action="place.move",
            subject_id=place_id,
            name=place.participant.name,
            before=before,
            after=after,
        )
        publish(PlacesChanged(session_id, (place.participant_id, places[other].participant_id)))
    return place


@transaction.atomic
def places_order(*, actor: Actor, session_id: int, place_ids: Sequence[int]) -> None:
    """Put a session's places into this order, counted from 1.

    Raises PermissionDenied, Session.DoesNotExist, ValidationError unless these are all places of the session.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    places = {place.pk: place for place in session.places.order_by("order_number")}
    if sorted(place_ids) != sorted(places):
        raise ValidationError("The places of this session are others by now. Please look at them again.")
    before, after = {"places": list(places)}, {"places": list(place_ids)}
    participants = tuple(place.participant_id for place in places.values())
    renumber((number, places[pk]) for number, pk in enumerate(place_ids, start=1))
    change_note(
        actor=actor, action="session.order", subject_id=session_id, name=session.title, before=before, after=after
    )
    publish(PlacesChanged(session_id, participants))


@transaction.atomic
def place_remove(*, actor: Actor, place_id: int, confirmed: bool = False) -> None:
    """Remove a place with its program; what was rated goes only when that is `confirmed`.

    Raises PermissionDenied, SessionParticipant.DoesNotExist, Attached, ValidationError for whoever is on stage.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    session_id, places = _locked(place_id)
    place = next(each for each in places if each.pk == place_id)
    seats_remove(actor, [place], confirmed=confirmed)
    renumber((number, each) for number, each in enumerate((p for p in places if p.pk != place_id), start=1))
    before = {
        "session_id": session_id,
        "participant": place.participant.name,
        "order_number": place.order_number,
    }
    change_note(actor=actor, action="place.remove", subject_id=place_id, before=before)
    publish(PlacesChanged(session_id, tuple(each.participant_id for each in places)))


def _locked(place_id: int) -> tuple[int, list[SessionParticipant]]:
    """Return the place's session, locked, and all its places in their order. Raises SessionParticipant.DoesNotExist."""
    session_id = SessionParticipant.objects.values_list("session_id", flat=True).get(pk=place_id)
    Session.objects.select_for_update(no_key=True).filter(pk=session_id).first()
    places = list(SessionParticipant.objects.filter(session_id=session_id).order_by("order_number"))
    if all(place.pk != place_id for place in places):  # removed while we waited
        raise SessionParticipant.DoesNotExist
    return session_id, places
