"""Hides and restores the comments of ratings, whose marks are shown and counted either way.

The caller checks permissions.
"""

from collections.abc import Collection, Mapping

from django.db import transaction

from apps.core.hideable_texts import TextState
from apps.ratings.models import PerformanceRating
from apps.ratings.services.announcement import ratings_announce
from apps.ratings.services.removal import people_and_appearances


@transaction.atomic
def rating_comments_lock(*, ids: Collection[int]) -> Mapping[int, TextState]:
    """Lock these ratings until the transaction ends and return those that exist, by id.

    Everybody may read the comment of one that is approved.
    """
    found = PerformanceRating.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    rows = found.values_list("pk", "user_id", "approved", "is_comment_hidden")
    return {pk: TextState(user_id, approved and not hidden) for pk, user_id, approved, hidden in rows}


@transaction.atomic
def rating_comments_hide(*, ids: Collection[int], hidden: bool) -> None:
    """Hide the comments of these ratings of performances, or restore them."""
    found = PerformanceRating.objects.filter(pk__in=ids, is_comment_hidden=not hidden)
    rows = list(found.order_by("pk"))
    found.update(is_comment_hidden=hidden)
    if rows:
        public, waiting = any(row.approved for row in rows), not all(row.approved for row in rows)
        ratings_announce(*people_and_appearances(rows), public=public, waiting=waiting)
