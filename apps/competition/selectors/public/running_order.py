"""Who is on stage, who was last and who comes next, in a session's order of playing."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, TypeVar


class InOrder(Protocol):
    """An appearance in the order of playing; `came_at` is when it came to the stage last, None for never."""

    @property
    def order_number(self) -> int:
        """The number in the order of playing, from 1."""

    @property
    def is_performing(self) -> bool:
        """Whether it is on stage."""

    @property
    def came_at(self) -> datetime | None:
        """When it came to the stage, the last time."""


Row = TypeVar("Row", bound=InOrder)


def performer(appearances: Sequence[Row]) -> Row | None:
    """Return who is on stage."""
    return next((appearance for appearance in appearances if appearance.is_performing), None)


def last_on_stage(appearances: Sequence[Row]) -> Row | None:
    """Return who came to the stage last, still there or not; None when nobody has been on it."""
    came = [(appearance.came_at, appearance) for appearance in appearances if appearance.came_at is not None]
    return performer(appearances) or max(came, key=lambda each: each[0], default=(None, None))[1]


def following(appearances: Sequence[Row]) -> Row | None:
    """Return who comes after the last on stage, the first when nobody has been there, or None after the last."""
    last = last_on_stage(appearances)
    current = last.order_number if last else 0
    return next((appearance for appearance in appearances if appearance.order_number > current), None)
