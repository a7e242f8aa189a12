"""Reads of what has moved in a session between two intervals."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection

Scores = Mapping[int, Decimal]  # of ranked performances, by appearance


@dataclass(frozen=True, slots=True)
class Moved:
    """A performance's place in a session at the beginning of this interval and of the former one, None without one."""

    now: int | None = None
    former: int | None = None


@dataclass(frozen=True, slots=True)
class IntervalScores:
    """The scores of a session's performances at the beginning of its newest interval and of the former one.

    Both are empty if the stage had no ranking then.
    """

    now: Scores
    former: Scores

    def moved(self, among: AbstractSet[int]) -> Mapping[int, Moved]:
        """Return how the performances `among` have moved, by appearance; places are counted among these."""
        now, former = (_places(scores, among) for scores in (self.now, self.former))
        return {pk: Moved(now.get(pk), former.get(pk)) for pk in among}


def _places(scores: Scores, among: AbstractSet[int]) -> Mapping[int, int]:
    """Return the places of these performances by score, from 1; equal scores share a place."""
    ordered = sorted((score for pk, score in scores.items() if pk in among), reverse=True)
    return {pk: ordered.index(score) + 1 for pk, score in scores.items() if pk in among}


# The former interval is that of any session of the stage: the first one of a session follows the last one of another.
_SCORES = """
WITH newest AS (
    SELECT id, stage_id, run_id FROM ranking_intervals WHERE session_id = %(session)s ORDER BY id DESC LIMIT 1
), former AS (
    SELECT interval.run_id FROM ranking_intervals AS interval JOIN newest ON newest.stage_id = interval.stage_id
    WHERE interval.id < newest.id ORDER BY interval.id DESC LIMIT 1
), runs AS (
    SELECT run_id, false AS is_former FROM newest UNION ALL SELECT run_id, true FROM former
)
SELECT is_former, appearance.id, performance.score
FROM runs
LEFT JOIN ranking_rows AS performance ON performance.run_id = runs.run_id AND performance.rank IS NOT NULL
LEFT JOIN session_participants AS appearance
    ON appearance.id = performance.appearance_id AND appearance.session_id = %(session)s
"""


def interval_scores(*, session_id: int) -> IntervalScores | None:
    """Return the scores at the beginning of a session's newest interval and of the former one of its stage. One query.

    None if there was no former one.
    """
    scores: dict[bool, dict[int, Decimal]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_SCORES, {"session": session_id})
        for is_former, appearance_id, score in cursor.fetchall():
            of_run = scores.setdefault(is_former, {})
            if appearance_id is not None:
                of_run[appearance_id] = score
    return IntervalScores(scores[False], scores[True]) if True in scores else None
