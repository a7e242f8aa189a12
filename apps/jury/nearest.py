"""A member's nearest and farthest juror of a stage: whose marks order the performances as the member's own do.

The functions on marks are rules alone; `nearest_get` reads. The result is personal data and never in public markup.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from apps.competition.selectors.public.stages import stage_field
from apps.jury.comparison import pairs_in_order, tau_b
from apps.jury.selectors import jury_marks
from apps.ranking.own_states import OwnState

LEAST_SHARED = 8  # performances that a member and a juror have both marked
SHRINKAGE = 10  # performances without any agreement that are added to every comparison
MOST_APART = 3

Marks = Mapping[int, Fraction]  # by participant's id


@dataclass(frozen=True, slots=True)
class MarkedApart:
    """A performance with the member's mark and the juror's."""

    participant_id: int
    own: Fraction
    juror: Fraction

    @property
    def difference(self) -> Fraction:
        """How far the two marks are apart, in points."""
        return abs(self.own - self.juror)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How far a juror's marks order `shared` performances as the member's do; `apart` are the largest differences.

    Of `pairs` pairs of performances that both order, `same` are in the same order.
    """

    juror: str
    shared: int
    tau: float
    apart: tuple[MarkedApart, ...]
    same: int = 0
    pairs: int = 0

    @property
    def shrunk(self) -> float:
        """Tau-b times n / (n + SHRINKAGE): few performances say less about a juror than many."""
        return self.tau * self.shared / (self.shared + SHRINKAGE)


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest juror, and the farthest one, None for a single juror. `names` are those of the performers."""

    nearest: Likeness
    farthest: Likeness | None
    names: Mapping[int, str]


def likenesses(own: Marks, jurors: Mapping[str, Marks]) -> tuple[Likeness, ...]:
    """Return the jurors with enough shared performances, the most alike first, then by name.

    A juror's students have no mark of that juror, so they are left out. Without two different marks on either side
    there is no order, and the juror is left out too.
    """
    found = (_likeness(juror, own, marks) for juror, marks in jurors.items())
    known = (each for each in found if each is not None)
    return tuple(sorted(known, key=lambda each: (-each.shrunk, each.juror)))


def _likeness(juror: str, own: Marks, marks: Marks) -> Likeness | None:
    shared = sorted(own.keys() & marks.keys())
    if len(shared) < LEAST_SHARED:
        return None
    both = [own[pk] for pk in shared], [marks[pk] for pk in shared]
    tau = tau_b(*both)
    if tau is None:
        return None
    apart = sorted((MarkedApart(pk, own[pk], marks[pk]) for pk in shared), key=lambda each: -each.difference)
    most = tuple(each for each in apart[:MOST_APART] if each.difference)
    return Likeness(juror, len(shared), tau, most, *pairs_in_order(*both))


def own_mark(state: OwnState) -> Fraction | None:
    """Return the mean of the submitted marks of a performance's pieces, None for less than half of the program.

    As the audience's method takes it, except that marks which wait for a moderator count here: they are the member's.
    """
    scores = [mark.score for pk, mark in state.ratings.pieces.items() if pk in state.program]
    return Fraction(sum(scores), len(scores)) if scores and 2 * len(scores) >= state.pieces else None


def nearest_get(*, stage_id: int, states: Mapping[int, OwnState]) -> Nearest | None:
    """Return the nearest and the farthest juror of a member with these states of a stage, or None.

    None without a published sheet, and below LEAST_SHARED shared performances. Two queries, none below that number of
    submitted performances.
    """
    marks = {pk: mark for pk, state in states.items() if (mark := own_mark(state)) is not None}
    if len(marks) < LEAST_SHARED or not (jurors := jury_marks(stage_id=stage_id)):
        return None
    own: dict[int, Fraction] = {}
    names: dict[int, str] = {}
    for each in stage_field(stage_id=stage_id):
        if each.id in marks and not each.is_repeated:
            own.setdefault(each.participant_id, marks[each.id])
            names[each.participant_id] = each.name
    found = likenesses(own, {juror: _fractions(given) for juror, given in jurors.items()})
    if not found:
        return None
    return Nearest(found[0], found[-1] if len(found) > 1 else None, names)


def _fractions(marks: Mapping[int, Decimal]) -> Marks:
    return {pk: Fraction(mark) for pk, mark in marks.items()}
