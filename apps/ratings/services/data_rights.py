"""Deletion of a person's ratings with the account."""

from django.db import transaction

from apps.ratings.models import DecidedRating, Decision
from apps.ratings.services.removal import remove


@transaction.atomic
def account_ratings_delete(user_id: int) -> None:
    """Delete a person's ratings and recommendations; the caller has checked the permission."""
    remove(user_id=user_id)


@transaction.atomic
def account_decisions_forget(user_id: int) -> None:
    """Delete recent decisions about a person's ratings, and the person's name from recent decisions."""
    DecidedRating.objects.filter(user_id=user_id).delete()
    Decision.objects.filter(user_id=user_id).update(user=None)
