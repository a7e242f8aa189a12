"""Enumerations of the ranking."""

from enum import StrEnum

from django.db.models import TextChoices


class NotCounted(TextChoices):
    """Why a mark of a performance does not count; the first matching reason is used, and all but the first may end.

    UNIFORM and BURST are rules of version 1, which hold for the rankings that it closed.
    """

    REPEATED = "repeated", "Of a repeated performance"
    WAITING = "waiting", "Ratings waiting for approval"
    PARTIAL = "partial", "Less than half of the program marked"
    LEFT_OUT = "left_out", "Left out by an administrator"
    NEW = "new", "From accounts younger than a day"
    UNIFORM = "uniform", "The same mark for five performances or more"
    BURST = "burst", "Many at once, long after the music"
    FEW = "few", "From listeners with fewer than three performances"


class TableOrder(StrEnum):
    """The two orders of a stage's table; the value is that in the address."""

    RANKING = "ranking"
    RUNNING = "running"


_OF_VERSION_1 = (NotCounted.UNIFORM, NotCounted.BURST)
REASONS = {  # by the method's version
    1: tuple(reason for reason in NotCounted if reason != NotCounted.LEFT_OUT),
    **dict.fromkeys((2, 3), tuple(reason for reason in NotCounted if reason not in _OF_VERSION_1)),
}


class AfterClosing(StrEnum):
    """What came only after a stage's ranking was closed, so that a mark does not count in it."""

    GIVEN = "given"  # the mark itself, or its newest change
    DUE = "due"  # what it still needed, such as its approval
