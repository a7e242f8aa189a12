"""What becomes of a rating: approved for everybody, rejected, or deleted by its author or a moderator."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.core.events import publish
from apps.core.permissions import require
from apps.ratings.enums import RatingKind
from apps.ratings.events import RatingsChanged
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.permissions import can_delete, can_moderate

APPROVED = {
    RatingKind.PIECE: "Piece rating approved successfully",
    RatingKind.PERFORMANCE: "Performance rating approved successfully",
}
REJECTED = {
    RatingKind.PIECE: "Piece rating rejected successfully",
    RatingKind.PERFORMANCE: "Performance rating rejected successfully",
}
DELETED = "Rating deleted successfully"
_NOT_ALLOWED = "Only administrators decide about ratings."
_DECIDED = "This rating has been decided already."


@transaction.atomic
def rating_approve(*, actor: Actor, kind: RatingKind, rating_id: int, seen_at: datetime | None = None) -> str:
    """Show a rating to everybody and return what to tell the moderator.

    `seen_at` is the `updated_at` of what the moderator read, so that nothing else is approved. Raises PermissionDenied,
    ValidationError when it was changed since, or decided already.
    """
    require(can_moderate(actor), _NOT_ALLOWED)
    rating = _waiting(kind, rating_id)
    if seen_at is not None and rating.updated_at != seen_at:
        raise ValidationError("This rating has changed since. Please read it again.")
    rating.approved = True
    rating.save(update_fields=["approved"])
    _announce(rating, public=True, waiting=True)
    return APPROVED[kind]


@transaction.atomic
def rating_reject(*, actor: Actor, kind: RatingKind, rating_id: int) -> str:
    """Delete a rating that waits and return what to tell the moderator.

    Raises PermissionDenied, ValidationError when it was decided already.
    """
    require(can_moderate(actor), _NOT_ALLOWED)
    rating = _waiting(kind, rating_id)
    rating.delete()
    _announce(rating, public=False, waiting=True)
    return REJECTED[kind]


@transaction.atomic
def rating_delete(*, actor: Actor, kind: RatingKind, rating_id: int) -> str:
    """Delete a rating, approved or not, and return what to tell whoever did.

    Raises PermissionDenied unless it is the actor's own or the actor moderates, ValidationError when there is none.
    """
    rating = _locked(kind, rating_id)
    if rating is None:
        raise ValidationError("This rating has been deleted already.")
    require(can_delete(actor, rating.user_id), "You can only delete your own ratings.")
    rating.delete()
    _announce(rating, public=rating.approved, waiting=not rating.approved)
    return DELETED


def _locked(kind: RatingKind, rating_id: int) -> PieceRating | PerformanceRating | None:
    """Return the rating, locked, with its performance; None when there is none."""
    model = PieceRating if kind == RatingKind.PIECE else PerformanceRating
    found = model.objects.select_for_update(of=("self",)).select_related("session_participant")
    return found.filter(pk=rating_id).first()


def _waiting(kind: RatingKind, rating_id: int) -> PieceRating | PerformanceRating:
    """Return a rating that waits, locked; raises ValidationError when another moderator was faster."""
    rating = _locked(kind, rating_id)
    if rating is None or rating.approved:
        raise ValidationError(_DECIDED)
    return rating


def _announce(rating: PieceRating | PerformanceRating, *, public: bool, waiting: bool) -> None:
    """Tell of one rating that came, went or was approved."""
    place = rating.session_participant
    publish(RatingsChanged((rating.user_id,), (place.pk,), (place.participant_id,), public=public, waiting=waiting))
