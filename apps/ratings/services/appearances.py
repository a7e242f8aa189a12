"""Deletion of an appearance's ratings, all of them or those of some pieces."""

from collections.abc import Collection

from django.db import transaction

from apps.accounts.actors import Actor
from apps.core.permissions import require
from apps.ratings.permissions import can_moderate
from apps.ratings.services.removal import remove, remove_pieces


@transaction.atomic
def appearance_ratings_delete(*, actor: Actor, session_participant_id: int) -> None:
    """Delete all ratings and recommendations of an appearance, before it is removed.

    `ratings_of_appearances` counts them. Raises PermissionDenied.
    """
    require(can_moderate(actor), "Only administrators delete the ratings of a performance.")
    remove(session_participant_id=session_participant_id)


@transaction.atomic
def piece_ratings_delete(*, actor: Actor, session_participant_id: int, piece_ids: Collection[int]) -> None:
    """Delete all ratings of these pieces of an appearance, before the pieces leave its program.

    `pieces_rated_of` counts them. Raises PermissionDenied.
    """
    require(can_moderate(actor), "Only administrators delete the ratings of a performance.")
    remove_pieces(session_participant_id, piece_ids)
