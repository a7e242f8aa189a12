"""Approving, rejecting and deleting one rating."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.core.events import publish
from apps.core.permissions import require
from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.events import RatingsChanged
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.permissions import can_delete
from apps.ratings.services.bulk_moderation import SENTENCES, RatingSeen, ratings_decide

DELETED = "Rating deleted successfully"


def rating_approve(*, actor: Actor, kind: RatingKind, rating_id: int, seen_at: datetime | None = None) -> str:
    """Show a rating to everybody and return the sentence for the moderator.

    `seen_at` is the `updated_at` of what the moderator read, so that nothing else is approved. Raises PermissionDenied,
    ValidationError when it was changed since, or decided already.
    """
    ratings_decide(actor=actor, decision=Verdict.APPROVE, ratings=[RatingSeen(kind, rating_id, seen_at)])
    return SENTENCES[kind, Verdict.APPROVE]


def rating_reject(*, actor: Actor, kind: RatingKind, rating_id: int) -> str:
    """Delete a rating that waits and return the sentence for the moderator.

    Raises PermissionDenied, ValidationError when it was decided already.
    """
    ratings_decide(actor=actor, decision=Verdict.REJECT, ratings=[RatingSeen(kind, rating_id)])
    return SENTENCES[kind, Verdict.REJECT]


@transaction.atomic
def rating_delete(*, actor: Actor, kind: RatingKind, rating_id: int) -> str:
    """Delete a rating, approved or not, and return the sentence to show.

    Raises PermissionDenied unless it is the actor's own or the actor moderates, ValidationError when there is none.
    """
    rating = _rating_lock(kind, rating_id)
    if rating is None:
        raise ValidationError("This rating has been deleted already.")
    require(can_delete(actor, rating.user_id), "You can only delete your own ratings.")
    rating.delete()
    if account_of(actor) != rating.user_id:
        change_note(
            actor=actor,
            action="ratings.delete",
            subject_id=rating_id,
            before={"kind": str(kind), "score": rating.score, "approved": rating.approved},
        )
    _announce(rating, public=rating.approved, waiting=not rating.approved)
    return DELETED


def _rating_lock(kind: RatingKind, rating_id: int) -> PieceRating | PerformanceRating | None:
    """Return the rating, locked, with its performance; None when there is none."""
    model = PieceRating if kind == RatingKind.PIECE else PerformanceRating
    found = model.objects.select_for_update(of=("self",)).select_related("session_participant")
    return found.filter(pk=rating_id).first()


def _announce(rating: PieceRating | PerformanceRating, *, public: bool, waiting: bool) -> None:
    """Announce a deleted rating."""
    appearance = rating.session_participant
    publish(
        RatingsChanged(
            (rating.user_id,), (appearance.pk,), (appearance.participant_id,), public=public, waiting=waiting
        )
    )
