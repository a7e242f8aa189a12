"""What a moderator decides together in the queue of ratings."""

from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.core.events import publish
from apps.core.permissions import require
from apps.ratings.enums import RatingKind
from apps.ratings.events import DecidingChanged
from apps.ratings.models import DecidingChoice
from apps.ratings.permissions import can_moderate

SENTENCES = {
    (RatingKind.PIECE, True): "The whole performance is decided too.",
    (RatingKind.PIECE, False): "Only the pieces are decided.",
    (RatingKind.PERFORMANCE, True): "The pieces are decided too.",
    (RatingKind.PERFORMANCE, False): "Only the whole performance is decided.",
}
_COLUMNS = {RatingKind.PIECE: "whole_too", RatingKind.PERFORMANCE: "pieces_too"}  # by the kind of the queue


@transaction.atomic
def deciding_set(*, actor: Actor, kind: RatingKind, both: bool) -> str:
    """Store whether the actor's decisions in the queue of `kind` include the other kind; return the sentence to show.

    Raises PermissionDenied unless the actor is an administrator with an account.
    """
    user_id = account_of(actor) or 0
    require(bool(user_id) and can_moderate(actor), "Only administrators decide about ratings.")
    DecidingChoice.objects.update_or_create(user_id=user_id, defaults={_COLUMNS[kind]: both})
    publish(DecidingChanged(user_id))
    return SENTENCES[kind, both]
