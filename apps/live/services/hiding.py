"""Hides and restores comments; the caller checks permissions."""

from collections.abc import Collection, Mapping

from django.db import transaction

from apps.core.events import publish
from apps.core.hideable_texts import TextState
from apps.live.events import CommentsChanged
from apps.live.models import SessionComment


@transaction.atomic
def comments_lock(*, ids: Collection[int]) -> Mapping[int, TextState]:
    """Lock these comments until the transaction ends and return those that exist, by id."""
    found = SessionComment.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    rows = found.values_list("pk", "user_id", "is_hidden")
    return {pk: TextState(user_id, not hidden) for pk, user_id, hidden in rows}


@transaction.atomic
def comments_hide(*, ids: Collection[int], hidden: bool) -> None:
    """Hide these comments, or restore them."""
    concerned = SessionComment.objects.filter(pk__in=ids, is_hidden=not hidden)
    sessions = tuple(concerned.order_by("session_id").values_list("session_id", flat=True).distinct())
    concerned.update(is_hidden=hidden)
    if sessions:
        publish(CommentsChanged(session_ids=sessions))
