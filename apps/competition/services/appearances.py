"""Writes of single places in a session."""

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import AppearancesChanged
from apps.competition.models import Participant, Session, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.services.running_order import appearances_delete, renumber
from apps.core.edits.row_validation import row_validate
from apps.core.events import publish
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit sessions."
_STEPS = {"up": -1, "down": 1}


@transaction.atomic
def appearance_add(
    *, actor: Actor, session_id: int, participant_id: int, order_number: int | None = None
) -> SessionParticipant:
    """Give a participant an appearance in a session, the next one unless `order_number` says, and return it.

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
    appearance = SessionParticipant(session_id=session_id, participant_id=participant_id, order_number=order_number)
    row_validate(appearance)
    appearance.save()
    after = {"session_id": session_id, "participant": participant.name, "order_number": order_number}
    change_note(actor=actor, action="place.add", subject_id=appearance.pk, after=after)
    publish(AppearancesChanged(session_id, (participant_id,)))
    return appearance


@transaction.atomic
def appearance_move(*, actor: Actor, appearance_id: int, direction: str) -> SessionParticipant:
    """Let an appearance change with the one before ("up") or after it ("down") and return it; at the end it stays.

    Raises PermissionDenied, SessionParticipant.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    if direction not in _STEPS:
        raise ValidationError("A place moves up or down.")
    session_id, appearances = _order_lock(appearance_id)
    index = next(number for number, appearance in enumerate(appearances) if appearance.pk == appearance_id)
    appearance, other = appearances[index], index + _STEPS[direction]
    if 0 <= other < len(appearances):
        numbers = appearance.order_number, appearances[other].order_number
        renumber([(numbers[1], appearance), (numbers[0], appearances[other])])
        after, before = ({"order_number": number} for number in (numbers[1], numbers[0]))
        change_note(
            actor=actor,
            action="place.move",
            subject_id=appearance_id,
            name=appearance.participant.name,
            before=before,
            after=after,
        )
        publish(AppearancesChanged(session_id, (appearance.participant_id, appearances[other].participant_id)))
    return appearance


@transaction.atomic
def appearances_order(*, actor: Actor, session_id: int, appearance_ids: Sequence[int]) -> None:
    """Put a session's appearances into this order, counted from 1.

    Raises PermissionDenied, Session.DoesNotExist, ValidationError unless these are all appearances of the session.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    appearances = {appearance.pk: appearance for appearance in session.appearances.order_by("order_number")}
    if sorted(appearance_ids) != sorted(appearances):
        raise ValidationError("The places of this session are others by now. Please look at them again.")
    before, after = {"appearances": list(appearances)}, {"appearances": list(appearance_ids)}
    participants = tuple(appearance.participant_id for appearance in appearances.values())
    renumber((number, appearances[pk]) for number, pk in enumerate(appearance_ids, start=1))
    change_note(
        actor=actor, action="session.order", subject_id=session_id, name=session.title, before=before, after=after
    )
    publish(AppearancesChanged(session_id, participants))


@transaction.atomic
def appearance_remove(*, actor: Actor, appearance_id: int, confirmed: bool = False) -> None:
    """Remove an appearance with its program; what was rated goes only when that is `confirmed`.

    Raises PermissionDenied, SessionParticipant.DoesNotExist, HasDependents, ValidationError for whoever is on stage.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    session_id, appearances = _order_lock(appearance_id)
    appearance = next(each for each in appearances if each.pk == appearance_id)
    appearances_delete(actor, [appearance], confirmed=confirmed)
    renumber((number, each) for number, each in enumerate((p for p in appearances if p.pk != appearance_id), start=1))
    before = {
        "session_id": session_id,
        "participant": appearance.participant.name,
        "order_number": appearance.order_number,
    }
    change_note(actor=actor, action="place.remove", subject_id=appearance_id, before=before)
    publish(AppearancesChanged(session_id, tuple(each.participant_id for each in appearances)))


def _order_lock(appearance_id: int) -> tuple[int, list[SessionParticipant]]:
    """Return the locked session's id and all its appearances in their order. Raises SessionParticipant.DoesNotExist."""
    session_id = SessionParticipant.objects.values_list("session_id", flat=True).get(pk=appearance_id)
    Session.objects.select_for_update(no_key=True).filter(pk=session_id).first()
    appearances = list(SessionParticipant.objects.filter(session_id=session_id).order_by("order_number"))
    if all(appearance.pk != appearance_id for appearance in appearances):  # removed while we waited
        raise SessionParticipant.DoesNotExist
    return session_id, appearances
