"""A member's relation to each performance: one state, shown the same way on every page."""

from dataclasses import dataclass
from typing import Any

from apps.competition.selectors.public.programs import AppearanceStatus, appearance_statuses
from apps.ranking.counting import Standing
from apps.ranking.selectors import own_standings
from apps.ratings.enums import PerformanceState
from apps.ratings.selectors.covering import Covering, covering_get
from apps.ratings.selectors.own import OwnRatings, ratings_own


@dataclass(frozen=True, slots=True)
class OwnState:
    """The state of a performance for one member, what it follows from, and which of its figures are covered."""

    state: PerformanceState
    ratings: OwnRatings
    pieces: int  # of the program, each once
    standing: Standing | None = None  # what counts of the submitted marks, or will; None without any
    is_covered: bool = False  # the figures of the whole performance
    open_pieces: frozenset[int] | None = None  # the pieces whose figures are not covered; None is all
    program: frozenset[int] = frozenset()  # the pieces
    covers_others: bool = True  # whether a performance of the same stage without any mark is covered

    @property
    def marked(self) -> int:
        """The number of pieces with a mark, submitted or not."""
        return len(self.ratings.marks)

    @property
    def some_pieces(self) -> frozenset[int]:
        """The pieces with a mark if they are not all of the program, else none (`audience_figure`)."""
        return frozenset(self.ratings.marks) if self.marked < self.pieces else frozenset()


class OwnStates(dict[int, OwnState]):
    """The states of performances by appearance."""

    covers_more: bool = False  # whether a performance that is added later is covered


def own_states(*, user_id: int, **which: Any) -> OwnStates:
    """Return the states of all performances that `which` names (`ratings_own`), by appearance.

    Three queries, six if any of them has a submitted mark of the account.
    """
    found = ratings_own(user_id=user_id, **which)
    statuses = appearance_statuses(**which)
    covering = covering_get(user_id=user_id)
    submitted = {statuses[pk].stage_id for pk, own in found.items() if pk in statuses and own.is_submitted}
    standings = own_standings(user_id=user_id, stage_ids=submitted) if submitted else {}
    states = OwnStates(
        (pk, _own_state(found.get(pk, NOTHING), status, covering, standings.get(pk))) for pk, status in statuses.items()
    )
    is_one_stage = any(which.get(name) is not None for name in ("session_id", "stage_id"))
    others = any(own.covers_others for own in states.values())
    states.covers_more = others if is_one_stage and states else covering.ears_first
    return states


NOTHING = OwnRatings()


def _own_state(own: OwnRatings, status: AppearanceStatus, covering: Covering, standing: Standing | None) -> OwnState:
    standing = standing if own.is_submitted else None
    is_covered = covering.covers_whole(own, status.pieces, status.stage_id)
    pieces = covering.open_pieces(own, status.stage_id)
    state = state_of(own, standing, has_begun=status.has_begun)
    others = covering.covers_whole(NOTHING, status.pieces, status.stage_id)
    return OwnState(state, own, len(status.pieces), standing, is_covered, pieces, status.pieces, others)


def state_of(own: OwnRatings, standing: Standing | None, *, has_begun: bool) -> PerformanceState:
    """Return the first state that applies. `standing` is that of the submitted marks, None without any."""
    if not has_begun:
        return PerformanceState.TO_COME
    if own.is_changed:
        return PerformanceState.CHANGED
    if not own.is_submitted:
        return PerformanceState.MARKED if own.has_marks else PerformanceState.UNHEARD
    if not own.is_approved:
        return PerformanceState.SUBMITTED
    return PerformanceState.COUNTS if standing is not None and standing.counts else PerformanceState.SHOWN
