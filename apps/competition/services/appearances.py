"""Writes of single appearances; the order of a whole session is written with its form (`session_update`)."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import AppearancesChanged
from apps.competition.models import Participant, Session, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.core.edits.row_validation import row_validate
from apps.core.events import publish
from apps.core.permissions import require


@transaction.atomic
def appearance_add(
    *, actor: Actor, session_id: int, participant_id: int, order_number: int | None = None
) -> SessionParticipant:
    """Give a participant an appearance in a session, the next one unless `order_number` says, and return it.

    Raises PermissionDenied, Session.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), "Only administrators edit sessions.")
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
