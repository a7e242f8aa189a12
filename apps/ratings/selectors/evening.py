"""What the hall marked on one day, else in the last session: all approved marks of pieces together."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Q, Subquery, Sum

from apps.competition.selectors import sessions_by_newest
from apps.ratings.limits import PIECE_HIGHEST
from apps.ratings.models import PieceMarkCount

_NO_MARKS = (0,) * PIECE_HIGHEST


@dataclass(frozen=True, slots=True)
class HallMarks:
    """How often each mark was given, from 1 upwards; `session` is the title of the one session they are of, if one."""

    often: tuple[int, ...] = _NO_MARKS
    session: str = ""

    @property
    def count(self) -> int:
        """How many marks there are."""
        return sum(self.often)
