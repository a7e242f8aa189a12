"""Recommendations: saved by a click, withdrawn by the same click again."""

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.competition.selectors import appearance_program
from apps.core.rate_limits import rate_limit_take
from apps.ratings.enums import Advance
from apps.ratings.limits import RATINGS
from apps.ratings.models import AdvanceRecommendation
from apps.ratings.services.announcement import recommendations_announce
from apps.ratings.services.rater_lock import rater_require

RECOMMENDATION_SAVED = "Your recommendation has been saved!"
RECOMMENDATION_WITHDRAWN = "Your recommendation has been withdrawn."
RECOMMENDATION_FAILED = "Failed to save recommendation. Please try again."


@transaction.atomic
def recommendation_set(*, actor: Actor, session_participant_id: int, recommendation: str) -> str:
    """Save what somebody recommends after a performance, or withdraw it when it is the same as before.

    Returns the sentence to show. Raises PermissionDenied, ValidationError for an unknown performance or word,
    before it has begun, and once the field of the next stage is drawn.
    """
    user_id = rater_require(actor, "Sign in to recommend who should advance.")
    appearance = appearance_program(session_participant_id=session_participant_id)
    if appearance is None or recommendation not in Advance.values:
        raise ValidationError(RECOMMENDATION_FAILED)
    if not appearance.has_begun:
        raise ValidationError("You can recommend once the performance begins.")
    if appearance.next_stage:
        raise ValidationError(
            "The field of %(stage)s is drawn, so nobody recommends any more.", params={"stage": appearance.next_stage}
        )
    rate_limit_take(RATINGS, account_id=user_id)
    mine = AdvanceRecommendation.objects.filter(user_id=user_id, session_participant_id=appearance.id)
    withdrawn, _ = mine.filter(recommendation=recommendation).delete()
    if not withdrawn:
        _save(
            AdvanceRecommendation(user_id=user_id, session_participant_id=appearance.id, recommendation=recommendation)
        )
    recommendations_announce((user_id,), (appearance.id,))
    return RECOMMENDATION_WITHDRAWN if withdrawn else RECOMMENDATION_SAVED


def _save(new: AdvanceRecommendation) -> None:
    """Store a recommendation in place of any other of this person for this performance."""
    AdvanceRecommendation.objects.bulk_create(
        [new],
        update_conflicts=True,
        unique_fields=["user", "session_participant"],
        update_fields=["recommendation", "updated_at"],
    )
