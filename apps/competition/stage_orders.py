"""Orders of a stage's performers that another app stores: the jury's. They are compared with who advances.

The app registers once, in its `AppConfig.ready`; the competition does not import it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from apps.competition.enums import OrderSource


@dataclass(frozen=True, slots=True)
class StageOrder:
    """Places of performers by participant's id, from 1 on; equal ones share a place."""

    source: OrderSource
    places: Mapping[int, int]

    def first(self, count: int) -> frozenset[int]:
        """Return the first `count` performers; more, if the last place is shared."""
        last = sorted(self.places.values())[:count][-1:]
        return frozenset(pk for pk, place in self.places.items() if [place] <= last)

    def passed_over(self, chosen: Collection[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return who contradicts the order: those not chosen before others who are, and these others, by place.

        As many from the top as there are chosen ones with a place would contradict nothing.
        """
        expected = self.first(len(self.places.keys() & set(chosen)))
        others = [pk for pk in chosen if pk in self.places and pk not in expected]
        missing = [pk for pk in expected if pk not in chosen]
        last = max((self.places[pk] for pk in {*others, *(expected & set(chosen))}), default=0)
        before = [pk for pk in missing if self.places[pk] < last]
        missing, others = (sorted(found, key=lambda pk: (self.places[pk], pk)) for found in (before, others))
        return tuple(missing), tuple(others)


Reads = Callable[[int], Sequence[StageOrder]]  # takes the stage's id
_reads: list[Reads] = []


def stage_orders_register(reads: Reads) -> None:
    """Register a function that returns the stored orders of a stage, the most binding one first."""
    _reads.append(reads)


def stage_orders(stage_id: int) -> tuple[StageOrder, ...]:
    """Return the stored orders of a stage, the most binding one first; none without a sheet. For administrators."""
    return tuple(order for reads in _reads for order in reads(stage_id) if order.places)
