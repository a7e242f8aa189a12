"""Enumerations of ratings (specification, section 3)."""

from enum import StrEnum

from django.db.models import TextChoices


class RatingKind(StrEnum):
    """The subject of a mark: a piece or a whole performance."""

    PERFORMANCE = "performance"
    PIECE = "piece"


class QuickRating(TextChoices):
    """A one-word verdict on a performance."""

    OUTSTANDING = "outstanding", "Outstanding"
    GREAT_PERFORMANCE = "great_performance", "Great Performance"
    OTHER = "other", "Other"


class Advance(TextChoices):
    """Whether a participant should go on to the next stage."""

    UP = "up"
    DOWN = "down"


class ApprovalFilter(StrEnum):
    """Which ratings a moderator's list shows."""

    WAITING = "waiting"
    APPROVED = "approved"
    ALL = "all"


class Verdict(StrEnum):
    """A moderator's decision about a rating."""

    APPROVE = "approve"
    REJECT = "reject"
