"""The official result from the jurors' marks, in decimals: each step rounds half up, the first mean too.

With the first mean left unrounded, or with binary fractions, published results do not come out to the hundredth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from apps.core.rounding import rounded


@dataclass(frozen=True, slots=True)
class StageScore:
    """The result of one performer in one stage: the two means, and the number of corrected marks."""

    mean: Decimal
    score: Decimal
    corrected: int


def mean(marks: Sequence[Decimal], decimals: int) -> Decimal:
    """Return the mean of at least one mark, rounded half up from the exact quotient."""
    return rounded(sum(map(Fraction, marks), Fraction()) / len(marks), decimals)


def corrected(mark: Decimal, centre: Decimal, distance: Decimal) -> Decimal:
    """Return the mark, set to `centre` ± `distance` if it is farther away."""
    return min(max(mark, centre - distance), centre + distance)


def stage_score(marks: Sequence[Decimal], distance: Decimal, decimals: int) -> StageScore | None:
    """Return the result of one performer from the jurors' marks; None without any."""
    if not marks:
        return None
    first = mean(marks, decimals)
    after = [corrected(mark, first, distance) for mark in marks]
    changed = sum(old != new for old, new in zip(marks, after, strict=True))
    return StageScore(first, mean(after, decimals), changed)


def cumulated(scores: Sequence[Decimal | None], weights: Sequence[Decimal], decimals: int) -> Decimal | None:
    """Return the weighted sum of the scores of all stages so far, rounded half up; None if one is missing."""
    known = [score for score in scores if score is not None]
    if len(known) != len(weights):
        return None
    products = (Fraction(score) * Fraction(weight) for score, weight in zip(known, weights, strict=True))
    return rounded(sum(products, Fraction()), decimals)


def ranks(scores: Mapping[int, Decimal | None]) -> dict[int, int]:
    """Return the rank of each scored id, the highest score first. Equal scores share a rank; the next ones skip."""
    ordered = sorted(score for score in scores.values() if score is not None)
    places: dict[Decimal, int] = {}
    for place, score in enumerate(reversed(ordered), start=1):
        places.setdefault(score, place)
    return {pk: places[score] for pk, score in scores.items() if score is not None}
