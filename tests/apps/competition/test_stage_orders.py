"""Test stored orders of a stage: the first ones, and the choices that they contradict, against all pairs."""

from hypothesis import given
from hypothesis import strategies as st

from apps.competition.enums import OrderSource
from apps.competition.stage_orders import StageOrder

PLACES = st.dictionaries(st.integers(1, 12), st.integers(1, 6), min_size=1)


def contradicts(places: dict[int, int], chosen: set[int]) -> bool:
    ranked = chosen & places.keys()
    return any(places[out] < places[pk] for pk in ranked for out in places.keys() - chosen)


@given(PLACES, st.sets(st.integers(1, 14)))
def test_named_ones_are_those_whose_exchange_contradicts_nothing(places: dict[int, int], chosen: set[int]) -> None:
    missing, others = StageOrder(OrderSource.JURY, places).passed_over(chosen)
    assert bool(missing or others) == contradicts(places, chosen)
    assert not contradicts(places, chosen - set(others) | set(missing))
    assert set(others) <= chosen & places.keys()
    assert not set(missing) & chosen


@given(PLACES, st.integers(1, 14))
def test_first_ones_contradict_nothing_and_are_more_only_by_a_shared_place(places: dict[int, int], count: int) -> None:
    first = StageOrder(OrderSource.JURY, places).first(count)
    assert not contradicts(places, set(first))
    last = max(places[pk] for pk in first)
    assert sum(places[pk] < last for pk in first) < count
    assert len(first) >= min(count, len(places))
