"""Single accounts are let out of the quarantine of a stage, with a reason, or no longer."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.accounts.services.account_lock import account_lock
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules.text_cleaning import text_clean
from apps.ranking.events import RankingOutdated
from apps.ranking.limits import REASON_LENGTH
from apps.ranking.models import RankingRelease
from apps.ranking.permissions import can_administer_ranking
from apps.ranking.selectors.counting import stage_counting

GIVEN = "Their marks count from the next ranking on."
TAKEN = "The rules decide about their marks again."
NOT_ALLOWED = "Only administrators let accounts out of quarantine."


@transaction.atomic
def release_give(*, actor: Actor, stage_id: int, user_id: int, reason: str) -> str:
    """Let an account's marks of a stage count although a rule keeps them out, and return the sentence to show.

    Raises PermissionDenied, ValidationError without a reason, and for an account that no rule keeps out: nobody is
    added by hand.
    """
    require(can_administer_ranking(actor), NOT_ALLOWED)
    words = text_clean(reason)
    if not words:
        raise ValidationError({"reason": "Please say why."})
    if len(words) > REASON_LENGTH:
        raise ValidationError({"reason": "A reason has at most 300 characters."})
    if not account_lock(user_id=user_id) or user_id not in stage_counting(stage_id=stage_id).quarantined:
        raise ValidationError("No rule keeps this account's marks out any more.")
    RankingRelease.objects.create(user_id=user_id, stage_id=stage_id, released_by_id=account_of(actor), reason=words)
    change_note(actor=actor, action="ranking.release", subject_id=stage_id, account=user_id, reason=words)
    publish(RankingOutdated(stage_id))
    return GIVEN


@transaction.atomic
def release_take(*, actor: Actor, stage_id: int, user_id: int) -> str:
    """Let the rules decide about an account's marks of a stage again, and return the sentence to show.

    Raises PermissionDenied.
    """
    require(can_administer_ranking(actor), NOT_ALLOWED)
    deleted, _ = RankingRelease.objects.filter(user_id=user_id, stage_id=stage_id).delete()
    if deleted:
        change_note(actor=actor, action="ranking.unrelease", subject_id=stage_id, account=user_id)
        publish(RankingOutdated(stage_id))
    return TAKEN
