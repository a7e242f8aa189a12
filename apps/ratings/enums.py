"""Fixed sets of words of the ratings (specification, section 3)."""

from enum import StrEnum

from django.db.models import TextChoices


class RatingKind(StrEnum):
    """What a rating is about."""

    PERFORMANCE = "performance"
    PIECE = "piece"


class QuickRating(TextChoices):
    """A performance in a word."""

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
    """What a moderator says to a rating."""

    APPROVE = "approve"
    REJECT = "reject"
