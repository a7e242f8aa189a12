"""A performer withdraws from a session: the appearance goes, its row stays in sight, struck out."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.dependents import HasDependents
from apps.competition.enums import UndoKind
from apps.competition.events import AppearancesChanged, SessionChanged
from apps.competition.models import Appearance, PerformingTime, Session, SessionWithdrawal
from apps.competition.permissions import can_edit_competition
from apps.competition.services.program_undo import programs_keep
from apps.competition.services.running_order import appearance_dependents_delete_confirmed
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require

WITHDRAWN = "Withdrawn. The row stays in sight, struck out, and the others keep their numbers."
_ASK = (
    "%(name)s is struck out in the order of playing and in the schedule, with the word “withdrawn”, and followers are "
    "told. The program can be brought back for ten minutes."
)
_PLAYED = "%(name)s has been on stage in this session. Whoever has played stays in the order of playing."
_GONE = "This performer is no longer in the session."


@transaction.atomic
def appearance_withdraw(*, actor: Actor, session_id: int, appearance_id: int, confirmed: bool = False) -> int:
    """Withdraw a performer from a session and return the id of the undo; the others keep numbers and planned times.

    Raises PermissionDenied, Session.DoesNotExist, ValidationError at `appearance` for one of another session and for
    one who has been on stage, and unless `confirmed` ConfirmationNeeded, also with what depends on the appearance.
    """
    require(can_edit_competition(actor), "Only administrators edit sessions.")
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    found = Appearance.objects.filter(pk=appearance_id, session=session)
    appearance = found.select_related("participant").first()
    if appearance is None:
        raise ValidationError({"appearance": _GONE})
    name = appearance.participant.name
    if appearance.is_performing or PerformingTime.objects.filter(appearance=appearance).exists():
        raise ValidationError({"appearance": ValidationError(_PLAYED, params={"name": name})})
    question = ConfirmationNeeded([ValidationError(_ASK, params={"name": name})])
    try:
        appearance_dependents_delete_confirmed(actor, [appearance], confirmed=confirmed)
    except HasDependents as dependents:
        question.error_list += dependents.error_list
        raise question from dependents
    if not confirmed:
        raise question
    undo_id = programs_keep(UndoKind.REMOVAL, session_id, [appearance])
    Appearance.objects.filter(pk=appearance_id).delete()
    SessionWithdrawal.objects.create(
        session=session,
        participant_id=appearance.participant_id,
        order_number=appearance.order_number,
        planned_start=appearance.planned_start,
    )
    change_note(actor=actor, action="session.withdraw", subject_id=session_id, name=session.title, removed=[name])
    staying = session.appearances.values_list("participant_id", flat=True)
    ids = (appearance.participant_id, *staying)
    publish(SessionChanged(session_id=session_id, participant_ids=ids))
    publish(AppearancesChanged(session_id=session_id, participant_ids=ids))
    return undo_id
