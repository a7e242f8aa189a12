"""Loads reactions along the demo's performances, once: nobody's, as the curves count them."""

import math

from django.db import connection, transaction
from django.utils import timezone

from apps.competition.models import PerformingTime
from apps.competition.selectors import live_session
from apps.core.events import publish
from apps.demo.audience.opinions import chance
from apps.live.events import ReactionsChanged
from apps.live.models import ReactionMoment

__all__ = ["reactions_load"]
FIRST = """
SELECT pg_try_advisory_xact_lock(hashtext('parterre demo reactions')) AND NOT is_called
FROM session_reaction_moments_id_seq
"""
_SWELLS = (0.15, 0.24, 0.47, 0.8, 0.98)  # of a performance, as pieces end
_BREADTH, _STEP = 0.012, 3  # of a swell, and seconds between those that have taps
_MOST, _QUIET = 5, 0.12  # taps in a second at the highest, and chance of one without a reason


@transaction.atomic
def reactions_load() -> int:
    """Return how many seconds got reactions: none during another load, or once anybody has reacted."""
    with connection.cursor() as cursor:
        cursor.execute(FIRST)
        if not cursor.fetchone()[0]:
            return 0
    now = timezone.now()
    times = PerformingTime.objects.order_by("pk").values_list("session_participant__session_id", "began_at", "ended_at")
    found = [
        ReactionMoment(session_id=session_id, second=int(began_at.timestamp()) + second, count=count)
        for number, (session_id, began_at, ended_at) in enumerate(times)
        for second, count in _taps(number, int(((ended_at or now) - began_at).total_seconds()))
    ]
    ReactionMoment.objects.bulk_create(found)
    if session := live_session():
        publish(ReactionsChanged(session_ids=(session.id,)))
    return len(found)


def _taps(number: int, seconds: int) -> list[tuple[int, int]]:
    """Return in which seconds of a performance how many tapped."""
    counts = [(second, _count(number, second, seconds)) for second in range(0, seconds, _STEP)]
    return [(second, count) for second, count in counts if count]


def _count(number: int, second: int, of: int) -> int:
    swells = (
        chance("swell", number, nth) * math.exp(-(((second / of - at) / _BREADTH) ** 2))
        for nth, at in enumerate(_SWELLS)
    )
    return int(_MOST * sum(swells) + _QUIET + chance("tap", number, second))
