"""A stage's ranking is closed, so that it stays as it is, or opened again."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.core.database.clock import database_now
from apps.core.edits.confirmation import ConfirmationNeeded
from apps.core.events import publish
from apps.core.permissions import require
from apps.ranking.enums import QUARANTINE, NotCounted
from apps.ranking.events import RankingChanged, RankingOutdated
from apps.ranking.models import RankingRun
from apps.ranking.permissions import can_administer_ranking
from apps.ranking.selectors.rankings import run_get
from apps.ranking.services.lock import runs_lock

CLOSED = "The ranking is closed. It stays as it is."
OPENED = "The ranking is open again. It is counted anew within a minute."
NOT_ALLOWED = "Only administrators close rankings."


class MarksLeftOut(ConfirmationNeeded):
    """Raised without confirmation: how many marks would stay out of a ranking that is closed now."""

    def __init__(self, quarantined: int, waiting: int) -> None:
        super().__init__(
            [
                ValidationError("Marks still in quarantine: %(count)d.", params={"count": quarantined}),
                ValidationError("Marks still waiting for approval: %(count)d.", params={"count": waiting}),
            ]
        )


@transaction.atomic
def ranking_close(*, actor: Actor, stage_id: int, confirmed: bool = False) -> str:
    """Let a stage's ranking stay as it was computed last, and return the sentence to show.

    Raises PermissionDenied, ValidationError before the first computation, MarksLeftOut without confirmation.
    """
    require(can_administer_ranking(actor), NOT_ALLOWED)
    runs_lock(stage_id)
    run = run_get(stage_id=stage_id)
    if run is None:
        raise ValidationError("There is no ranking of this stage yet.")
    if run.final_at is not None:
        return CLOSED
    quarantined = sum(run.not_counted[reason] for reason in QUARANTINE)
    if not confirmed:
        raise MarksLeftOut(quarantined, run.not_counted[NotCounted.WAITING])
    RankingRun.objects.filter(pk=run.id).update(is_final=True, final_at=database_now())
    change_note(actor=actor, action="ranking.close", subject_id=stage_id, marks=run.marks, quarantined=quarantined)
    publish(RankingChanged(stage_id))
    return CLOSED


@transaction.atomic
def ranking_reopen(*, actor: Actor, stage_id: int) -> str:
    """Let a stage's ranking follow the marks again, and return the sentence to show. Raises PermissionDenied."""
    require(can_administer_ranking(actor), NOT_ALLOWED)
    runs_lock(stage_id)
    if RankingRun.objects.filter(stage_id=stage_id, is_final=True).update(is_final=False, final_at=None):
        change_note(actor=actor, action="ranking.reopen", subject_id=stage_id)
        publish(RankingOutdated(stage_id))
    return OPENED
