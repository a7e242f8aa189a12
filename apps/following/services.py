"""Writes of following."""

from secrets import token_urlsafe

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.accounts.services.accounts import account_lock
from apps.competition.selectors.public.participants import participant_get
from apps.core.events import publish
from apps.following.events import CalendarKeyChanged, FollowChanged
from apps.following.limits import FOLLOWS_MOST, SECRET_BYTES
from apps.following.models import CalendarKey, Follow

FOLLOWED, UNFOLLOWED = "You follow this performer", "You no longer follow this performer"
CALENDAR_MADE = "Your private calendar is ready"
CALENDAR_RENEWED = "Your private calendar has a new address. The one before no longer works."
CALENDAR_ENDED = "Your private calendar has ended. Its address no longer works."
TOO_MANY = "You follow %(most)d performers, the most that are possible. Please unfollow one first."


@transaction.atomic
def follow_set(*, actor: Actor, participant_id: int, is_wanted: bool) -> str:
    """Make the actor follow a performer, or no longer follow, and return the sentence to show.

    Raises PermissionDenied for an anonymous visitor, ValidationError for an unknown performer and above FOLLOWS_MOST.
    """
    user_id = _member_lock(actor)
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


def _member_lock(actor: Actor) -> int:
    """Lock the actor's account and return its id."""
    user_id = account_of(actor)
    if user_id is None or not account_lock(user_id=user_id):
        raise PermissionDenied("Please sign in to follow performers.")
    return user_id


@transaction.atomic
def calendar_key_make(*, actor: Actor) -> str:
    """Give the actor's private calendar an address unless it has one, and return the sentence to show.

    Raises PermissionDenied for an anonymous visitor.
    """
    user_id = _member_lock(actor)
    _, is_new = CalendarKey.objects.get_or_create(user_id=user_id, defaults={"secret": token_urlsafe(SECRET_BYTES)})
    if is_new:
        publish(CalendarKeyChanged(user_id))
    return CALENDAR_MADE


@transaction.atomic
def calendar_key_renew(*, actor: Actor) -> str:
    """Give the actor's private calendar another address, so that the one before ends, and return the sentence to show.

    Raises PermissionDenied for an anonymous visitor.
    """
    user_id = _member_lock(actor)
    new = {"secret": token_urlsafe(SECRET_BYTES), "created_at": Now()}
    CalendarKey.objects.update_or_create(user_id=user_id, defaults=new)
    publish(CalendarKeyChanged(user_id))
    return CALENDAR_RENEWED


@transaction.atomic
def calendar_key_end(*, actor: Actor) -> str:
    """End the actor's private calendar, and return the sentence to show.

    Raises PermissionDenied for an anonymous visitor.
    """
    user_id = _member_lock(actor)
    deleted, _ = CalendarKey.objects.filter(user_id=user_id).delete()
    if deleted:
        publish(CalendarKeyChanged(user_id))
    return CALENDAR_ENDED


@transaction.atomic
def follows_forget(*, user_id: int) -> None:
    """Delete what an account follows, so that the counts on open pages change."""
    follows = Follow.objects.filter(user_id=user_id)
    for participant_id in follows.values_list("participant_id", flat=True):
        publish(FollowChanged(user_id, participant_id))
    follows.delete()
