"""Deletion of an appearance's ratings."""

from django.db import transaction

from apps.accounts.actors import Actor
from apps.core.permissions import require
from apps.ratings.permissions import can_moderate
from apps.ratings.services.removal import remove


@transaction.atomic
def appearance_ratings_delete(*, actor: Actor, session_participant_id: int) -> None:
    """Delete all ratings and recommendations of an appearance, before it is removed.

    `ratings_of_appearances` counts them. Raises PermissionDenied.
    """
    require(can_moderate(actor), "Only administrators delete the ratings of a performance.")
    remove(session_participant_id=session_participant_id)
