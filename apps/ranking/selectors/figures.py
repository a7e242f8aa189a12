"""The one figure that represents a performance, wherever a page shows one (`audience_figure`)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from django.db import connection

from apps.core.rounding import rounded
from apps.ratings.selectors.statistics import OF_APPEARANCES, PerformanceFigures, performances_of

# The scores follow the figures in the same query, without a number of marks.
_WITH_SCORES = f"""{OF_APPEARANCES}
UNION ALL
SELECT NULL, appearance.id, NULL, NULL, performance.score, NULL
FROM session_participants AS appearance
CROSS JOIN LATERAL (
    SELECT id FROM ranking_runs WHERE stage_id = appearance.stage_id ORDER BY id DESC LIMIT 1
) AS run
JOIN ranking_rows AS performance ON performance.run_id = run.id AND performance.appearance_id = appearance.id
WHERE appearance.id = ANY(%(wanted)s) AND performance.score IS NOT NULL
"""  # noqa: S608 - it contains constants only


class Basis(StrEnum):
    """What a figure is: the ranking's score, the plain mean before the first score, or the mean of some pieces."""

    SCORE = "score"
    SO_FAR = "so far"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class AudienceFigure:
    """The figure of a performance; the value is None without marks. A score has two decimals, a mean has one."""

    value: Decimal | None = None
    basis: Basis = Basis.SO_FAR


NO_FIGURE = AudienceFigure()


def audience_figures(*, appearance_ids: Collection[int]) -> Mapping[int, PerformanceFigures]:
    """Return the figures of these performances with their scores in the newest ranking, by appearance. One query.

    Performances without marks and score are left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(_WITH_SCORES, {"wanted": list(appearance_ids)})
        rows = cursor.fetchall()
    found = performances_of([row for row in rows if row[3] is not None])
    scores = {row[1]: row[4] for row in rows if row[3] is None}
    return found | {pk: replace(found.get(pk, PerformanceFigures()), score=score) for pk, score in scores.items()}


def audience_figure(figures: PerformanceFigures, same: Collection[int] = ()) -> AudienceFigure:
    """Return the figure that represents a performance: its score, before the first score the plain mean "so far".

    `same` are the pieces that a member has marked, if these are not all of them (`OwnState.some_pieces`): beside the
    member's marks the figure is the audience's mean of the same pieces, where each piece counts once.
    """
    if same:
        return AudienceFigure(_mean_of(figures, same), Basis.SAME)
    if figures.score is not None:
        return AudienceFigure(figures.score, Basis.SCORE)
    return AudienceFigure(figures.all_pieces.mean)


def _mean_of(figures: PerformanceFigures, pieces: Collection[int]) -> Decimal | None:
    """Return the mean of the pieces' exact means; None if one of them has no mark."""
    means = [figures.piece(pk).exact_mean for pk in pieces]
    known = [mean for mean in means if mean is not None]
    return rounded(sum(known, Fraction(0)) / len(known)) if len(known) == len(means) else None
