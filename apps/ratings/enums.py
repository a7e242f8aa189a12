"""Enumerations of ratings (specification, section 3)."""

from enum import StrEnum

from django.db.models import TextChoices


class RatingKind(StrEnum):
    """The subject of a mark: a piece or a whole performance."""

    PERFORMANCE = "performance"
    PIECE = "piece"


class ExportKind(StrEnum):
    """What an export of ratings is of; the values are the audit's kinds of objects."""

    SESSION = "session"
    STAGE = "stage"


class QuickRating(TextChoices):
    """A one-word verdict on a performance."""

    OUTSTANDING = "outstanding", "Outstanding"
    GREAT_PERFORMANCE = "great_performance", "Great Performance"
    OTHER = "other", "Other"


class Advance(TextChoices):
    """Whether a participant should go on to the next stage."""

    UP = "up"
    DOWN = "down"


class PerformanceState(StrEnum):
    """A member's relation to a performance; the first that applies, in this order, but UNHEARD last."""

    TO_COME = "to_come"  # has not begun
    CHANGED = "changed"  # submitted, then changed, or a moderator has removed a mark
    MARKED = "marked"  # at least one mark kept, nothing submitted
    SUBMITTED = "submitted"  # some of it waits for approval
    SHOWN = "shown"  # approved, does not count yet
    COUNTS = "counts"  # in the ranking
    UNHEARD = "unheard"  # begun, no mark of the member


class ApprovalFilter(StrEnum):
    """Which ratings a moderator's list shows."""

    WAITING = "waiting"
    APPROVED = "approved"
    ALL = "all"


class Verdict(StrEnum):
    """A moderator's decision about a rating."""

    APPROVE = "approve"
    REJECT = "reject"
