"""Writes of following."""

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.services.accounts import account_lock
from apps.competition.selectors.public.participants import participant_get
from apps.core.events import publish
from apps.following.events import FollowChanged
from apps.following.limits import FOLLOWS_MOST
from apps.following.models import Follow

FOLLOWED, UNFOLLOWED = "You follow this performer", "You no longer follow this performer"
TOO_MANY = "You follow %(most)d performers, the most that are possible. Please unfollow one first."


@transaction.atomic
def follow_set(*, actor: Actor, participant_id: int, is_wanted: bool) -> str:
    """Make the actor follow a performer, or no longer follow, and return the sentence to show.

    Raises PermissionDenied for an anonymous visitor, ValidationError for an unknown performer and above FOLLOWS_MOST.
    """
    user_id = account_of(actor)
    if user_id is None or not account_lock(user_id=user_id):
        raise PermissionDenied("Please sign in to follow performers.")
    if participant_get(participant_id=participant_id) is None:
        raise ValidationError("Participant not found.")
    own = Follow.objects.filter(user_id=user_id)
    if is_wanted:
        is_changed = not own.filter(participant_id=participant_id).exists()
        if is_changed and own.count() >= FOLLOWS_MOST:
            raise ValidationError(TOO_MANY, params={"most": FOLLOWS_MOST})
        if is_changed:
            Follow.objects.create(user_id=user_id, participant_id=participant_id)
    else:
        deleted, _ = own.filter(participant_id=participant_id).delete()
        is_changed = deleted > 0
    if is_changed:
        publish(FollowChanged(user_id, participant_id))
    return FOLLOWED if is_wanted else UNFOLLOWED


@transaction.atomic
def follows_forget(*, user_id: int) -> None:
    """Delete what an account follows, so that the counts on open pages change."""
    follows = Follow.objects.filter(user_id=user_id)
    for participant_id in follows.values_list("participant_id", flat=True):
        publish(FollowChanged(user_id, participant_id))
    follows.delete()
