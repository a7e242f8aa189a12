"""One person's turn to rate: one at a time, and not too many a minute."""

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db.models.functions import Now

from apps.accounts.actors import Actor, Viewer
from apps.accounts.services.account_lock import account_lock
from apps.core.permissions import require
from apps.ratings.models import RatingTurn

RATERS = 30  # in TURNS_IN; a stage has 84 performances, nobody hears 30 in a minute
RATERS_IN = timedelta(minutes=1)


def rater_require(actor: Actor, message: str) -> int:
    """Return the id of the active account that acts, held until the transaction ends.

    Raises PermissionDenied with `message` for strangers, for accounts that are inactive or gone, and for operators, who
    have no opinion.
    """
    user_id = actor.id if isinstance(actor, Viewer) else None
    require(account_lock(user_id=user_id), message)
    return user_id or 0


def turn_take(*, user_id: int) -> None:
    """Note one turn of an account that is held; raises ValidationError after TURNS of them in TURNS_IN."""
    turns = RatingTurn.objects.filter(user_id=user_id)
    turns.filter(created_at__lt=Now() - RATERS_IN).delete()
    if turns.count() >= RATERS:
        raise ValidationError("That was a lot in one minute. Please wait a moment, then try again.")
    RatingTurn.objects.create(user_id=user_id)
