"""Repeated appearances: of a participant's appearances in one stage, at most one counts in the ranking.

The one that comes second is repeated: added to a session, brought into the stage with its session, or restored. The
callers lock the participants first, so that concurrent additions see each other.
"""

from collections.abc import Collection, Mapping, Sequence

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.events import CountingAppearanceChanged
from apps.competition.models import Appearance, Participant, Session
from apps.competition.permissions import can_edit_competition
from apps.core.edits import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require

ASK = (
    "%(name)s plays in this stage already, in %(session)s, and that performance counts in the ranking. The one in this "
    "session would be marked as repeated: rated and shown, but not ranked. The page Programs changes which one counts."
)
COUNTS = "This performance counts in the ranking of its stage."


def participants_hold(participant_ids: Collection[int]) -> None:
    """Lock these participants against deletion and concurrent additions until the transaction ends."""
    found = Participant.objects.select_for_update(no_key=True).filter(pk__in=participant_ids)
    list(found.order_by("pk").values_list("pk"))


def repetitions(session: Session, participant_ids: Collection[int]) -> Mapping[int, ValidationError]:
    """Return, by participant, the question whether the performance in this session is repeated. One query.

    Only those of the locked participants are asked about who have a counting performance in another session of the
    stage.
    """
    found = Appearance.objects.filter(stage_id=session.stage_id, participant_id__in=participant_ids, is_repeated=False)
    rows = found.exclude(session_id=session.pk).order_by("participant__sort_folded", "pk")
    return {
        pk: ValidationError(ASK, params={"name": name, "session": title})
        for pk, name, title in rows.values_list("participant_id", "participant__name", "session__title")
    }


def repetitions_confirm(questions: Sequence[ValidationError], *, confirmed: bool) -> None:
    """Raise ConfirmationNeeded for any question that is not confirmed."""
    if questions and not confirmed:
        raise ConfirmationNeeded(list(questions))


def session_stage_save(session: Session) -> Mapping[int, ValidationError]:
    """Save the locked session in its new stage, and return the questions as `repetitions`.

    Its appearances come second there: they are repeated exactly if another performance counts. The ones that they leave
    in the stage before stay repeated (`appearance_count`).
    """
    playing = Appearance.objects.filter(session_id=session.pk)
    questions = repetitions(session, list(playing.values_list("participant_id", flat=True)))
    playing.filter(participant_id__in=questions, is_repeated=False).update(is_repeated=True)
    session.save()
    playing.exclude(participant_id__in=questions).filter(is_repeated=True).update(is_repeated=False)
    return questions


@transaction.atomic
def appearance_count(*, actor: Actor, appearance_id: int) -> str:
    """Make a repeated appearance the one that counts in its stage, and return the sentence to show.

    The appearance that counted becomes repeated. Only an administrator chooses: when the counting appearance is
    deleted, or leaves the stage with its session, the others stay repeated. A deletion can be taken back, and listeners
    have read that their marks of a repeated performance do not count. The page Programs then shows that none counts.
    Idempotent. Raises PermissionDenied, Appearance.DoesNotExist.
    """
    require(can_edit_competition(actor), "Only administrators edit sessions.")
    playing = Appearance.objects.filter(pk=appearance_id)
    participants_hold(list(playing.values_list("participant_id", flat=True)))
    appearance = Appearance.objects.select_for_update(no_key=True).get(pk=appearance_id)
    if not appearance.is_repeated:
        return COUNTS
    siblings = Appearance.objects.filter(
        stage_id=appearance.stage_id, participant_id=appearance.participant_id, is_repeated=False
    )
    before = list(siblings.values_list("session_id", "session__title"))
    siblings.update(is_repeated=True)
    playing.update(is_repeated=False)
    change_note(
        actor=actor,
        action="place.count",
        subject_id=appearance_id,
        name=appearance.participant.name,
        before={"counts": ", ".join(title for _, title in before)},
        after={"counts": appearance.session.title},
    )
    session_ids = (appearance.session_id, *(pk for pk, _ in before))
    publish(CountingAppearanceChanged((appearance.stage_id,), session_ids, (appearance.participant_id,)))
    return COUNTS
