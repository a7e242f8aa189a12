"""What becomes of somebody's ratings when the account ends."""

from django.db import transaction

from apps.ratings.models import RatingTurn

from .removing import remove


@transaction.atomic
def account_ratings_delete(user_id: int) -> None:
    """Delete everything a person rated or recommended; the service that deletes the account has asked who may."""
    remove(user_id=user_id)
    RatingTurn.objects.filter(user_id=user_id).delete()
