"""What the hall marked: the pieces played on one day, else those of the last session that has marks."""

from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import Q, Subquery, Sum

from apps.ratings.limits import PIECE_HIGHEST
from apps.ratings.models import PieceMarkCount

from .statistics import NO_PIECES, Figures

_SESSION = "session_participant__session"


@dataclass(frozen=True, slots=True)
class DayMarks:
    """The approved marks of a day's pieces; when they are the last session's instead, `session` is its title."""

    figures: Figures = NO_PIECES
    session: str = ""


def day_marks(*, since: datetime, until: datetime) -> DayMarks:
    """Return the marks of all pieces in the sessions of a day and in the live one, else in the last session with marks.

    One query; two when that day has none.
    """
    of_day = Q(**{f"{_SESSION}__starts_at__gte": since, f"{_SESSION}__starts_at__lt": until})
    today = _marks(of_day | Q(**{f"{_SESSION}__is_live": True}))
    if today.figures.count:
        return DayMarks(today.figures)
    newest = PieceMarkCount.objects.filter(count__gt=0).order_by(f"-{_SESSION}__starts_at", f"-{_SESSION}")
    return _marks(Q(**{_SESSION: Subquery(newest.values(_SESSION)[:1])}))


def _marks(which: Q) -> DayMarks:
    """Return the marks of these pieces, with the title of one of their sessions. One query."""
    found = PieceMarkCount.objects.filter(which).values_list("score", f"{_SESSION}__title")
    rows = tuple(found.annotate(times=Sum("count")))
    often = tuple(sum(times for score, _, times in rows if score == mark) for mark in range(1, PIECE_HIGHEST + 1))
    count = sum(often)
    if not count:
        return DayMarks()
    mean = Decimal(sum(mark * times for mark, times in enumerate(often, start=1))) / count
    return DayMarks(Figures(count, mean.quantize(Decimal("0.1"), ROUND_HALF_UP), often), rows[0][1])
