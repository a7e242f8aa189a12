"""Enumerations of the ranking."""

from enum import StrEnum

from django.db.models import TextChoices


class NotCounted(TextChoices):
    """Why a mark of a performance does not count; the first matching reason is used, and all but the first may end."""

    REPEATED = "repeated", "Of a repeated performance"
    WAITING = "waiting", "Marks waiting for approval"
    PARTIAL = "partial", "Less than half of the program marked"
    NEW = "new", "From accounts younger than a day"
    UNIFORM = "uniform", "The same mark for five performances or more"
    BURST = "burst", "Many at once, long after the music"
    FEW = "few", "From listeners with fewer than three performances"


QUARANTINE = (NotCounted.NEW, NotCounted.UNIFORM, NotCounted.BURST)


class AfterClosing(StrEnum):
    """What came only after a stage's ranking was closed, so that a mark does not count in it."""

    GIVEN = "given"  # the mark itself, or its newest change
    DUE = "due"  # what it still needed, such as its approval
