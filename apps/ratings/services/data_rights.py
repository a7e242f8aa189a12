"""What becomes of somebody's ratings when the account ends."""

from django.db import transaction

from apps.ratings.models import DecidedRating, Decision
from apps.ratings.services.removal import remove


@transaction.atomic
def account_ratings_delete(user_id: int) -> None:
    """Delete everything a person rated or recommended; the service that deletes the account has asked who may."""
    remove(user_id=user_id)


@transaction.atomic
def account_decisions_forget(user_id: int) -> None:
    """Forget what was rejected or approved lately of a person's ratings, and that the person decided."""
    DecidedRating.objects.filter(user_id=user_id).delete()
    Decision.objects.filter(user_id=user_id).update(user=None)
