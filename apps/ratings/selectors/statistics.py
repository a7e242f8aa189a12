"""Figures of approved marks: number, mean and distribution.

PostgreSQL computes all figures of a page in one query. Rounding its means is exact: a quotient has at least 16 digits,
and the mean of fewer than 10^13 marks cannot be that close to a half without being one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db import connection

from apps.competition.selectors.public.participants import PieceTitle
from apps.core.rounding import rounded
from apps.ratings.enums import RatingKind
from apps.ratings.limits import PERFORMANCE_HIGHEST, PIECE_HIGHEST

_OFTEN = ", ".join(f"sum(times) FILTER (WHERE score = {score})" for score in range(1, PIECE_HIGHEST + 1))
# Reads the count tables: at most 25 rows for a piece, for any number of ratings.
_FIGURES = f"""
WITH marks AS (
    SELECT true AS of_piece, session_participant_id AS appearance_id, piece_id, score, sum(counts.count) AS times
    FROM piece_mark_counts AS counts
    JOIN session_participants AS appearance ON appearance.id = counts.session_participant_id
    WHERE {{where}}
    GROUP BY session_participant_id, piece_id, score HAVING sum(counts.count) > 0
    UNION ALL
    SELECT false, session_participant_id, NULL, score, sum(counts.count)
    FROM performance_rating_counts AS counts
    JOIN session_participants AS appearance ON appearance.id = counts.session_participant_id
    WHERE {{where}} AND counts.approved AND counts.is_author_active
    GROUP BY session_participant_id, score HAVING sum(counts.count) > 0
)
SELECT of_piece, appearance_id, piece_id, sum(times)::bigint, sum(score * times) / sum(times),
    ARRAY[{_OFTEN}]::bigint[]
FROM marks GROUP BY GROUPING SETS ((of_piece, appearance_id, piece_id), (of_piece, appearance_id), (of_piece))
"""  # noqa: S608 - the only inserted values are the constants from 1 to 25
_OF_PARTICIPANT = _FIGURES.format(where="appearance.participant_id = %(wanted)s")
OF_APPEARANCES = f"""
{_FIGURES.format(where="appearance.id = ANY(%(wanted)s)")}
UNION ALL
SELECT NULL, session_participant_id, NULL, sum(count)::bigint, 0, ARRAY[]::bigint[]
FROM rating_submission_counts WHERE session_participant_id = ANY(%(wanted)s) AND waiting_pieces > 0
GROUP BY session_participant_id HAVING sum(count) > 0
"""  # noqa: S608 - no inserted text but the query above


@dataclass(frozen=True, slots=True)
class Figures:
    """The number of marks, their mean to one decimal (None without marks), and how often each was given, from 1 up."""

    count: int
    mean: Decimal | None
    distribution: tuple[int, ...]

    @property
    def most_frequent(self) -> tuple[int, ...]:
        """The most frequent marks, ascending: several in a tie, empty without marks."""
        most = max(self.distribution, default=0)
        return tuple(mark for mark, count in enumerate(self.distribution, 1) if count == most) if self.count else ()

    @property
    def exact_mean(self) -> Fraction | None:
        """The mean without rounding, for a mean of several means; None without marks."""
        points = sum(mark * count for mark, count in enumerate(self.distribution, 1))
        return Fraction(points, self.count) if self.count else None


_Row = Sequence[Any]  # of piece, appearance, piece, number of marks, mean, and how often each mark was given
_Found = Mapping[tuple[bool | None, int | None, int | None], Figures]  # None is for ratings that wait
NO_PIECES = Figures(0, None, (0,) * PIECE_HIGHEST)
NO_PERFORMANCES = Figures(0, None, (0,) * PERFORMANCE_HIGHEST)


@dataclass(frozen=True, slots=True)
class PerformanceFigures:
    """The figures of one performance: of the whole (1 to 5), of each piece by id (1 to 25) and of all its pieces.

    `waiting` is the number of ratings with marks of pieces that wait for a moderator. `score` is that of the ranking;
    only `apps.ranking.selectors.figures` reads it.
    """

    overall: Figures = NO_PERFORMANCES
    pieces: Mapping[int, Figures] = field(default_factory=dict)
    all_pieces: Figures = NO_PIECES
    waiting: int = 0
    score: Decimal | None = None

    def piece(self, piece_id: int) -> Figures:
        """Return the figures of one piece, rated or not."""
        return self.pieces.get(piece_id, NO_PIECES)


@dataclass(frozen=True, slots=True)
class ParticipantFigures:
    """The figures of a participant: of all performances, of all pieces, and of each performance by appearance id."""

    overall: Figures = NO_PERFORMANCES
    pieces: Figures = NO_PIECES
    performances: Mapping[int, PerformanceFigures] = field(default_factory=dict)

    def of_appearance(self, appearance_id: int) -> PerformanceFigures:
        """Return the figures of one performance, rated or not."""
        return self.performances.get(appearance_id, PerformanceFigures())


def participant_figures(*, participant_id: int) -> ParticipantFigures:
    """Return the figures of a participant, of each performance and of each piece in it. One query."""
    found = _found(_rows(_OF_PARTICIPANT, participant_id))
    return ParticipantFigures(
        overall=found.get((False, None, None), NO_PERFORMANCES),
        pieces=found.get((True, None, None), NO_PIECES),
        performances=_performances(found),
    )


def performance_figures(*, appearance_ids: Collection[int]) -> Mapping[int, PerformanceFigures]:
    """Return the figures of these performances by appearance id, without those that have no mark. One query."""
    return performances_of(_rows(OF_APPEARANCES, list(appearance_ids)))


def performances_of(rows: Sequence[_Row]) -> dict[int, PerformanceFigures]:
    """Return the figures of performances from the rows of OF_APPEARANCES, by appearance."""
    return _performances(_found(rows))


def _rows(query: str, wanted: int | list[int]) -> Sequence[_Row]:
    with connection.cursor() as cursor:
        cursor.execute(query, {"wanted": wanted})
        rows: Sequence[_Row] = cursor.fetchall()
    return rows


def _found(rows: Sequence[_Row]) -> _Found:
    return {(of_piece, appearance, piece): _figures(of_piece, *read) for of_piece, appearance, piece, *read in rows}


def _performances(found: _Found) -> dict[int, PerformanceFigures]:
    """Return the figures of all performances that were read, by appearance."""
    return {pk: _performance(pk, found) for pk in {pk for _, pk, _ in found if pk is not None}}


def _performance(appearance_id: int, found: _Found) -> PerformanceFigures:
    """Return the figures of one performance among all that were read."""
    pieces = {
        piece: figures
        for (_, appearance, piece), figures in found.items()
        if appearance == appearance_id and piece is not None
    }
    overall = found.get((False, appearance_id, None), NO_PERFORMANCES)
    waiting = found.get((None, appearance_id, None), NO_PIECES).count
    return PerformanceFigures(overall, pieces, found.get((True, appearance_id, None), NO_PIECES), waiting)


def _figures(of_piece: bool | None, count: int, mean: Decimal, often: list[int | None]) -> Figures:  # noqa: FBT001 - a column
    """Return the figures of one group of marks."""
    highest = PIECE_HIGHEST if of_piece else PERFORMANCE_HIGHEST
    return Figures(count, rounded(mean), tuple(times or 0 for times in often[:highest]))


@dataclass(frozen=True, slots=True)
class PieceMark:
    """A mark from 1 to 25 for a piece."""

    id: int
    score: int
    approved: bool
    updated_at: datetime
    piece: PieceTitle

    @property
    def kind(self) -> RatingKind:
        """The kind of this mark."""
        return RatingKind.PIECE


@dataclass(frozen=True, slots=True)
class WholeMark:
    """A mark from 1 to 5 for the whole performance, with a comment and an optional quick rating."""

    id: int
    score: int
    approved: bool
    updated_at: datetime
    comment: str  # empty in public lists if it is hidden
    quick_rating: str
    is_comment_hidden: bool  # set for its author and administrators only; False in public lists

    @property
    def kind(self) -> RatingKind:
        """The kind of this mark."""
        return RatingKind.PERFORMANCE


Mark = PieceMark | WholeMark


@dataclass(frozen=True, slots=True)
class RatingShown:
    """One person's rating of one performance: the marks of its pieces in the program's order, and that of the whole.

    `id` and `at` are its position in a list: the row's id, and the time by which the list is ordered.
    """

    id: int
    at: datetime
    author_id: int
    author: str  # the username
    author_avatar_url: str
    participant_id: int
    participant: str
    country: str
    participant_avatar_url: str
    appearance_id: int
    session_id: int
    session: str  # its title
    program_length: int = 0  # pieces
    pieces: Sequence[PieceMark] = ()
    whole: WholeMark | None = None

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of the pieces, then that of the whole performance."""
        return (*self.pieces, *([self.whole] if self.whole else []))

    @property
    def mean(self) -> Decimal | None:
        """The mean of the pieces' marks to one decimal, half away from zero; None without any."""
        if not self.pieces:
            return None
        points = Decimal(sum(mark.score for mark in self.pieces))
        return rounded(points / len(self.pieces))

    def waiting(self, *kinds: RatingKind) -> tuple[Mark, ...]:
        """Return its marks of these kinds that wait for a moderator."""
        return tuple(mark for mark in self.marks if not mark.approved and mark.kind in kinds)
