"""The comments of ratings, for those who decide about reports of them and for their authors."""

from collections.abc import Collection, Mapping

from django.db.models import QuerySet

from apps.core.hideable_texts import HideableText
from apps.ratings.models import PerformanceRating


def rating_comments_reported(*, ids: Collection[int]) -> Mapping[int, HideableText]:
    """Return the comments of these ratings of performances, hidden or not, by the rating's id. One query."""
    return {comment.id: comment for comment in _comments(PerformanceRating.objects.filter(id__in=ids))}


def rating_comments_hidden(*, user_id: int, limit: int) -> tuple[HideableText, ...]:
    """Return the hidden comments of a person's ratings, the newest first. One query."""
    return _comments(PerformanceRating.objects.filter(user_id=user_id, is_comment_hidden=True).order_by("-id")[:limit])


def _comments(found: "QuerySet[PerformanceRating]") -> tuple[HideableText, ...]:
    columns = ("id", "user_id", "user__username", "comment", "updated_at", "is_comment_hidden")
    rows = found.values_list("session_participant__participant_id", "approved", "is_author_active", *columns)
    return tuple(
        HideableText(*(*row, approved and is_active and not row[-1], f"/participants/{participant_id}"))
        for participant_id, approved, is_active, *row in rows
    )
