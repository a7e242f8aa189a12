"""Reads of one session's performances in the newest ranking of its stage, and of how far the audience agreed.

The figures are the present ones: they follow the ranking until it is closed.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db import connection

from apps.competition.selectors.public.participants import AppearanceDetail, SessionDetail
from apps.competition.selectors.public.sessions import session_appearances, session_get
from apps.ranking.method import HIGHEST
from apps.ranking.method2 import LEAST_RATERS
from apps.ranking.selectors import places_of_run, run_get
from apps.ranking.selectors.results import COVERED, Place, Run


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """An appearance of a session with its place in the newest ranking of the stage.

    `position` counts the performances of this session alone that have a score: 1 is the highest, equal scores share
    one (`is_tied`). It is None without a score.
    """

    appearance: AppearanceDetail
    place: Place
    position: int | None = None
    is_tied: bool = False

    @property
    def is_covered(self) -> bool:
        """Whether its figures are covered for the viewer (`SessionStanding.as_seen`)."""
        return self.place is COVERED


@dataclass(frozen=True, slots=True)
class SessionStanding:
    """A session's performances in the order of playing, also those to come; `run` is None before the first ranking."""

    session: SessionDetail
    run: Run | None
    performances: tuple[SessionPlace, ...]

    @property
    def by_score(self) -> tuple[SessionPlace, ...]:
        """The performances with a score by position; then those without, and the covered ones, as they play."""
        return tuple(
            sorted(
                self.performances,
                key=lambda each: (each.is_covered, each.position is None, each.position or 0),
            )
        )

    def leaders(self, limit: int = 3) -> tuple[SessionPlace, ...]:
        """Return the first performances with a score, at most `limit`."""
        return tuple(each for each in self.by_score if each.position is not None)[:limit]

    def as_seen(self, seen: Collection[int]) -> "SessionStanding":
        """Return the standing for a member who sees the figures of the appearances `seen` only.

        Positions are counted among these. Ranks of the stage are left out, because they count all performances of the
        stage. The others that have begun are COVERED.
        """
        known = (
            (
                each.appearance,
                replace(each.place, rank=None, lowest=None, highest=None, is_shared=False)
                if each.appearance.id in seen
                else COVERED
                if each.appearance.has_begun
                else Place(),
            )
            for each in self.performances
        )
        return replace(self, performances=_positioned(tuple(known)))


def session_standing(*, session_id: int) -> SessionStanding | None:
    """Return a session with the places of its performances, None for an unknown session. Four queries."""
    session = session_get(session_id=session_id)
    if session is None:
        return None
    run = run_get(stage_id=session.stage_id)
    places = places_of_run(run.id) if run else {}
    appearances = session_appearances(session_id=session_id)
    return SessionStanding(session, run, _positioned([(each, places.get(each.id, Place())) for each in appearances]))


def session_leaders(
    *, session_id: int, limit: int = 3, seen: Collection[int] | None = None
) -> tuple[SessionPlace, ...]:
    """Return the performances of a session with the highest scores, at most `limit`. Four queries.

    With `seen` they are those of a member who sees the figures of these appearances only.
    """
    standing = session_standing(session_id=session_id)
    if standing is None:
        return ()
    return (standing if seen is None else standing.as_seen(seen)).leaders(limit)


def _positioned(found: Sequence[tuple[AppearanceDetail, Place]]) -> tuple[SessionPlace, ...]:
    """Return the places with their positions, in the same order."""
    scores = sorted((place.score for _, place in found if place.score is not None), reverse=True)
    return tuple(
        SessionPlace(appearance, place)
        if place.score is None
        else SessionPlace(appearance, place, scores.index(place.score) + 1, scores.count(place.score) > 1)
        for appearance, place in found
    )


_OFTEN = ", ".join(f"count(*) FILTER (WHERE floor(mark + 0.5) = {key})" for key in range(1, int(HIGHEST) + 1))
# The marks that count of the newest run, by account; the rows with all performances have no appearance.
_AGREEMENT = f"""
WITH given AS (
    SELECT account.user_id, appearance.id AS appearance_id, (account.marks ->> appearance.id::text)::float8 AS mark
    FROM ranking_accounts AS account
    CROSS JOIN unnest(%(appearances)s::bigint[]) AS appearance (id)
    WHERE account.stage_id = %(stage)s AND account.marks ? appearance.id::text
)
SELECT appearance_id, count(*), count(DISTINCT user_id),
    percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY mark), ARRAY[{_OFTEN}]
FROM given GROUP BY GROUPING SETS ((appearance_id), ())
"""  # noqa: S608 - the only inserted values are the constants from 1 to 25


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the marks of a performance that count agree: the middle half of them lies from `lowest` to `highest`.

    A rater's mark is the mean of the pieces. `often` is the number of marks nearest to each whole mark, from 1 up.
    """

    appearance_id: int
    raters: int
    lowest: float
    highest: float
    often: tuple[int, ...]

    @property
    def spread(self) -> float:
        """The interquartile range, in points."""
        return self.highest - self.lowest


@dataclass(frozen=True, slots=True)
class SessionMarks:
    """The marks of a session that count: their number, their listeners, and the agreement about each performance.

    `often` is the number of marks nearest to each whole mark, from 1 up; `agreements` have LEAST_RATERS and more.
    """

    marks: int
    raters: int
    often: tuple[int, ...]
    agreements: tuple[Agreement, ...]

    def extremes(self, seen: Collection[int] | None = None) -> tuple[Agreement, Agreement] | None:
        """Return the performances whose marks agree most and least, None without two different ranges.

        With `seen` they are of these appearances. Of equal ranges the one with more raters is returned, then the one
        that played first.
        """
        found = [each for each in self.agreements if seen is None or each.appearance_id in seen]
        if len({each.spread for each in found}) < 2:  # noqa: PLR2004 - different ones
            return None
        most = min(found, key=lambda each: (each.spread, -each.raters))
        least = max(found, key=lambda each: (each.spread, each.raters))
        return most, least


def session_marks(*, stage_id: int, appearance_ids: Sequence[int]) -> SessionMarks:
    """Return what the newest run of a stage counts for these appearances, given in the order of playing. One query.

    It reads the accounts of the run. Runs before the accounts were stored have none.
    """
    with connection.cursor() as cursor:
        cursor.execute(_AGREEMENT, {"stage": stage_id, "appearances": list(appearance_ids)})
        rows = {row[0]: row[1:] for row in cursor.fetchall()}
    marks, raters, _, often = rows[None]
    agreements = tuple(
        Agreement(pk, found[0], found[2][0], found[2][1], tuple(found[3]))
        for pk in appearance_ids
        if (found := rows.get(pk)) and found[0] >= LEAST_RATERS
    )
    return SessionMarks(marks, raters, tuple(often), agreements)
