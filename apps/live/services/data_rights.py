"""Deletion of a person's comments and reactions with the account."""

from django.db import transaction

from apps.core.events import publish
from apps.live.events import CommentsChanged
from apps.live.models import SessionComment, SessionReaction


@transaction.atomic
def live_forget(*, user_id: int) -> None:
    """Delete a person's comments and reactions; the totals of reactions stay, since they name nobody."""
    comments = SessionComment.objects.filter(user_id=user_id)
    # in the order of their ids, as who decides about reports locks them
    sessions = tuple(sorted(set(comments.select_for_update().order_by("pk").values_list("session_id", flat=True))))
    comments.delete()
    SessionReaction.objects.filter(user_id=user_id).delete()
    if sessions:
        publish(CommentsChanged(session_ids=sessions))
