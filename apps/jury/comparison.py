"""Two orders of the same performances: Kendall's tau-b, its bootstrap interval, and where they differ most.

Rules alone, without a query. The result depends neither on the order of the performances nor on the process.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import sqrt

RESAMPLES = 999  # the 50th and the 950th are the ends of the middle nine tenths
LEAST_SPREAD = 8  # performances that an interval needs: resamples of fewer have hardly any different ones
MOST_SHOWN = 10  # differences each way
_TAIL = (RESAMPLES + 1) // 20
Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Agreement:
    """Kendall's tau-b of two orders of `count` performances, from -1 to 1, with its 90 % interval.

    `tau` is None if one of the orders has no two different values, the interval also below LEAST_SPREAD performances.
    """

    count: int
    tau: float | None = None
    lowest: float | None = None
    highest: float | None = None


def tau_b(first: Sequence[Number], second: Sequence[Number]) -> float | None:
    """Return Kendall's tau-b of two sequences with the same objects (Kendall 1945), None if it is not defined.

    It is the number of pairs in the same order less those in the opposite one, divided by the geometric mean of the
    numbers of pairs that each sequence distinguishes.
    """
    return _Pairs(first, second).tau([1] * len(first))


def pairs_in_order(first: Sequence[Number], second: Sequence[Number]) -> tuple[int, int]:
    """Return how many pairs two sequences with the same objects put in the same order, and how many both order."""
    masks = _Pairs(first, second).masks
    same, opposite = (sum(mask[side].bit_count() for mask in masks) for side in (0, 1))
    return same, same + opposite


@lru_cache(maxsize=512)  # of each stage: one for all viewers, and one for each set of performances that members see
def agreement(first: tuple[Number, ...], second: tuple[Number, ...], seed: str) -> Agreement:
    """Return tau-b of two sequences with its percentile interval (Efron 1979). An equal seed gives an equal interval.

    Each resample draws as many performances as there are, some of them several times and some not at all.
    """
    both = sorted(zip(first, second, strict=True))  # so that the order of the performances changes nothing
    pairs = _Pairs(*([each[side] for each in both] for side in (0, 1)))
    count, tau = len(both), pairs.tau([1] * len(both))
    if tau is None or count < LEAST_SPREAD:
        return Agreement(count, tau)
    chance, taus = random.Random(seed), []  # noqa: S311 - a resample, no secret
    for _ in range(RESAMPLES):
        weights = [0] * count
        for drawn in chance.choices(range(count), k=count):
            weights[drawn] += 1
        found = pairs.tau(weights)
        taus.append(tau if found is None else found)  # a resample of equal ones says nothing
    taus.sort()
    return Agreement(count, tau, taus[_TAIL - 1], taus[-_TAIL])


def ranks_among(values: Mapping[int, Number]) -> dict[int, int]:
    """Return the rank of each id, the lowest value first. Equal values share a rank, and the next ones skip."""
    places: dict[Number, int] = {}
    for place, value in enumerate(sorted(values.values()), start=1):
        places.setdefault(value, place)
    return {pk: places[value] for pk, value in values.items()}


class _Pairs:
    """The pairs of two sequences: of each object, bit masks of the later ones in the same and the opposite order.

    With masks, a resample of 84 performances takes some ten microseconds: a multiplicity is a sum of powers of two, so
    a weighted count is a sum of bit counts.
    """

    def __init__(self, first: Sequence[Number], second: Sequence[Number]) -> None:
        self.masks = [_masks(first, second, place) for place in range(len(first))]
        self.ties = tuple(_groups(values) for values in (first, second))

    def tau(self, weights: Sequence[int]) -> float | None:
        """Return tau-b when each object is there as often as its weight says; None if it is not defined."""
        planes = _planes(weights)
        over = sum(
            weight * _surplus(masks, planes) for masks, weight in zip(self.masks, weights, strict=True) if weight
        )
        pairs = _pairs(sum(weights))
        distinct = [pairs - sum(_pairs(sum(weights[at] for at in group)) for group in groups) for groups in self.ties]
        return over / sqrt(distinct[0] * distinct[1]) if all(distinct) else None


def _masks(first: Sequence[Number], second: Sequence[Number], place: int) -> tuple[int, int]:
    same = opposite = 0
    for other in range(place + 1, len(first)):
        before = (first[place] < first[other]) - (first[place] > first[other])
        after = (second[place] < second[other]) - (second[place] > second[other])
        if before and after:
            same |= (before == after) << other
            opposite |= (before != after) << other
    return same, opposite


def _groups(values: Sequence[Number]) -> tuple[tuple[int, ...], ...]:
    """Return the places of equal values, one group for each value."""
    groups: dict[Number, list[int]] = {}
    for place, value in enumerate(values):
        groups.setdefault(value, []).append(place)
    return tuple(map(tuple, groups.values()))


def _planes(weights: Sequence[int]) -> list[tuple[int, int]]:
    """Return each power of two in the weights, with the mask of the objects whose weight contains it."""
    return [
        (1 << power, sum(1 << place for place, weight in enumerate(weights) if weight >> power & 1))
        for power in range(max(weights, default=0).bit_length())
    ]


def _surplus(masks: tuple[int, int], planes: Iterable[tuple[int, int]]) -> int:
    same, opposite = masks
    return sum(unit * ((same & mask).bit_count() - (opposite & mask).bit_count()) for unit, mask in planes)


def _pairs(count: int) -> int:
    return count * (count - 1) // 2
