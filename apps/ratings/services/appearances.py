"""The end of a performance's ratings, before its place in the session is removed."""

from django.db import transaction

from apps.accounts.actors import Actor
from apps.core.permissions import require
from apps.ratings.permissions import can_moderate
from apps.ratings.services.removal import remove


@transaction.atomic
def appearance_ratings_delete(*, actor: Actor, session_participant_id: int) -> None:
    """Delete all ratings and recommendations of a performance; without this its place cannot be removed.

    `ratings_of_place` says beforehand what goes. Raises PermissionDenied.
    """
    require(can_moderate(actor), "Only administrators delete the ratings of a performance.")
    remove(session_participant_id=session_participant_id)
