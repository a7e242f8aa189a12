"""How the marks that were made blind compare with the others of a stage."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import sqrt
from statistics import NormalDist, fmean, variance

from apps.core.rounding import rounded
from apps.ranking.counting import CountedMark

LEAST_BLIND = 30  # marks of either kind, below which they are not compared
CONFIDENCE = 0.9
_WIDTH = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


@dataclass(frozen=True, slots=True)
class Blindness:
    """The number of marks that were made blind, and their comparison with the others: None with too few of either.

    `difference` is the mean of the blind marks minus that of the others, in points from 1 to 25; `lowest` and `highest`
    are its 90 % interval.
    """

    count: int
    difference: Decimal | None = None
    lowest: Decimal | None = None
    highest: Decimal | None = None


def blindness(marks: Sequence[CountedMark], blind: Collection[tuple[int, int]]) -> Blindness:
    """Compare the blind marks with the others, each less the mean of its performance, so that only looking differs.

    The interval is Welch's for two means of unequal variance (Biometrika 34, 1947), with the normal distribution in
    place of Student's: either kind has at least LEAST_BLIND marks.
    """
    by_performance: dict[int, list[float]] = defaultdict(list)
    for each in marks:
        by_performance[each.appearance_id].append(each.mark)
    means = {pk: fmean(given) for pk, given in by_performance.items()}
    kinds: dict[bool, list[float]] = {True: [], False: []}
    for each in marks:
        kinds[(each.user_id, each.appearance_id) in blind].append(each.mark - means[each.appearance_id])
    seen, unseen = kinds[False], kinds[True]
    if min(len(seen), len(unseen)) < LEAST_BLIND:
        return Blindness(len(unseen))
    difference = fmean(unseen) - fmean(seen)
    around = _WIDTH * sqrt(variance(unseen) / len(unseen) + variance(seen) / len(seen))
    ends = (rounded(each, 2) for each in (difference, difference - around, difference + around))
    return Blindness(len(unseen), *ends)
