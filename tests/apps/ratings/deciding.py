"""Helpers of the tests of moderators' decisions."""

from apps.core.moderation import Seen
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating, PieceRating

PIECE, PERFORMANCE = RatingKind.PIECE, RatingKind.PERFORMANCE
TABLES = (PieceRating, PerformanceRating)


def seen(*ratings):
    """Return these marks as a moderator read them."""
    return [Seen(PIECE if isinstance(mark, PieceRating) else PERFORMANCE, mark.pk, mark.updated_at) for mark in ratings]


def rows():
    """Return all rows of both tables."""
    return [list(table.objects.order_by("pk").values()) for table in TABLES]


def approved():
    """Return the visibility of every row in both tables."""
    return [list(table.objects.order_by("pk").values_list("approved", flat=True)) for table in TABLES]
