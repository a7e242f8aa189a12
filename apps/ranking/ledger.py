"""A member's ledger: each performance that the member has marked, beside the audience where that is not covered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from itertools import groupby

from apps.competition.selectors.public.participants import PieceTitle
from apps.competition.selectors.public.programs import program_titles
from apps.competition.selectors.public.stages import PlacedAppearance, appearances_placed
from apps.ranking.own_states import OwnState, own_states
from apps.ranking.selectors.figures import NO_FIGURE, AudienceFigure, audience_figure, audience_figures
from apps.ratings.selectors.lists import ratings_own_list
from apps.ratings.selectors.own import own_marked
from apps.ratings.selectors.statistics import PerformanceFigures, RatingShown

TENTH = Decimal("0.1")
DIFFERENCES = 3


class LedgerSort(StrEnum):
    """The order of the rows of a stage; the values are those of the address."""

    PLAYED = ""
    MARK = "mark"
    DIFFERENCE = "difference"

    @classmethod
    def of(cls, value: str) -> "LedgerSort":
        """Return the order of this value, the order of playing for an unknown one."""
        return next((each for each in cls if each.value == value), cls.PLAYED)


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One performance: the member's marks, and the audience's figure beside them.

    `rating` are the submitted marks, None without any. `rank` is the place of the member's mean among the member's own
    means of the stage; equal means, to one decimal, share it. A repeated performance has none.
    """

    place: PlacedAppearance
    own: OwnState
    rating: RatingShown | None = None
    program: tuple[PieceTitle, ...] = ()
    rank: int | None = None
    audience: AudienceFigure = NO_FIGURE  # without a value if covered, or if a marked piece has no other mark

    @property
    def mean(self) -> Decimal | None:
        """The member's mean of pieces, submitted or not, to one decimal; None without any."""
        return self.own.ratings.mean

    @property
    def difference(self) -> Decimal | None:
        """How much higher the member's mean is than the audience's, both as shown; None without one of them."""
        audience = self.audience.value
        return None if self.mean is None or audience is None else self.mean - audience


@dataclass(frozen=True, slots=True)
class LedgerStage:
    """A stage of which the member has marked a performance, with its rows in the order of playing."""

    id: int
    name: str
    performances: int  # of the stage, marked or not
    rows: tuple[LedgerRow, ...]

    def ordered(self, by: LedgerSort) -> Sequence[LedgerRow]:
        """Return the rows in this order: the highest mark or the biggest difference first, then those without one."""
        match by:
            case LedgerSort.PLAYED:
                return self.rows
            case LedgerSort.MARK:
                return _by_size((row, row.mean) for row in self.rows)
            case LedgerSort.DIFFERENCE:
                return _by_size((row, row.difference) for row in self.rows)


def ledger_get(*, account_id: int) -> tuple[LedgerStage, ...]:
    """Return the ledger of an account, the newest stage first. One query without marks, at most 14 with any number."""
    ids = own_marked(user_id=account_id)
    if not ids:
        return ()
    states = own_states(user_id=account_id, appearance_ids=ids)
    ratings = {each.appearance_id: each for each in ratings_own_list(user_id=account_id)}
    programs = program_titles(appearance_ids=ids)
    heard = audience_figures(appearance_ids=[pk for pk, own in states.items() if not own.is_covered])
    rows = [
        LedgerRow(
            place=place,
            own=states[place.id],
            rating=ratings.get(place.id),
            program=programs.get(place.id, ()),
            audience=audience_figure(heard.get(place.id, PerformanceFigures()), states[place.id].some_pieces),
        )
        for place in appearances_placed(appearance_ids=ids)
        if place.id in states  # else it was withdrawn between two queries
    ]
    return tuple(_stage(list(of_stage)) for _, of_stage in groupby(rows, key=lambda row: row.place.stage_id))


def biggest_differences(stages: Iterable[LedgerStage]) -> Sequence[LedgerRow]:
    """Return the rows with the biggest differences of all stages, at most DIFFERENCES; equal means are none."""
    rows = [row for stage in stages for row in stage.rows if row.difference]
    return _by_size((row, row.difference) for row in rows)[:DIFFERENCES]


def _stage(rows: Sequence[LedgerRow]) -> LedgerStage:
    means = [row.mean for row in rows if row.mean is not None and not row.place.is_repeated]
    place = rows[0].place
    ranked = tuple(_ranked(row, means) for row in rows)
    return LedgerStage(place.stage_id, place.stage, place.count, ranked)


def _ranked(row: LedgerRow, means: Sequence[Decimal]) -> LedgerRow:
    own = row.mean
    return row if own is None or row.place.is_repeated else replace(row, rank=1 + sum(mean > own for mean in means))


def _by_size(sized: Iterable[tuple[LedgerRow, Decimal | None]]) -> Sequence[LedgerRow]:
    """Return the rows by the size of these numbers, the biggest first, then those without a number."""
    return [row for row, _ in sorted(sized, key=lambda each: (each[1] is None, -abs(each[1] or Decimal(0))))]
