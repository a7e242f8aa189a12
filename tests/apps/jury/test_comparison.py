"""Test tau-b against definitions and published values, its interval, and ranks among some performances."""

import itertools
import math
import random
import subprocess
import sys
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.jury.comparison import LEAST_SPREAD, RESAMPLES, Agreement, _Pairs, agreement, ranks_among, tau_b

ORDERS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=2, max_size=24)


def sign(value):
    return (value > 0) - (value < 0)


def squared(first, second):
    """Return the sign and the square of tau-b as a fraction, by Kendall's definition over all ordered pairs."""
    pairs = list(itertools.permutations(range(len(first)), 2))
    over = sum(sign(first[a] - first[b]) * sign(second[a] - second[b]) for a, b in pairs)
    one, other = (sum(sign(values[a] - values[b]) ** 2 for a, b in pairs) for values in (first, second))
    return None if not one * other else (sign(over), Fraction(over * over, one * other))


@given(ORDERS)
def test_tau_b_equals_kendalls_definition(both):
    first, second = zip(*both, strict=True)
    tau, expected = tau_b(first, second), squared(first, second)
    if expected is None:
        assert tau is None
        return
    assert sign(tau) == expected[0]
    assert math.isclose(tau * tau, expected[1], rel_tol=1e-12)
    assert tau_b(second, first) == tau
    assert math.isclose(tau_b([-rank for rank in first], second), -tau, rel_tol=1e-12, abs_tol=1e-12)
    assert math.isclose(tau_b([3 * rank + 1 for rank in first], second), tau)


def test_tau_b_of_published_examples():
    for first, second, value in (
        ([12, 2, 1, 12, 2], [1, 4, 7, 1, 0], -0.47140452079103173),  # SciPy's documentation of kendalltau
        # Kendall, "Rank correlation methods", chapter 1: ten boys in mathematics and music, 21 - 24 of 45 pairs
        ([7, 4, 3, 10, 6, 2, 9, 8, 1, 5], [5, 7, 3, 10, 1, 9, 6, 2, 8, 4], -3 / 45),
        # the same, chapter 3, with ties (0.859): a surplus of 33 of 45 pairs, of which 41 and 36 are distinguished
        (
            [1, 2.5, 2.5, 4.5, 4.5, 6.5, 6.5, 8, 9.5, 9.5],
            [1, 2, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10],
            33 / math.sqrt(41 * 36),
        ),
        ([1, 2, 3, 4], [1, 2, 3, 4], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 1, 1], [1, 2, 3], None),
        ([1], [1], None),
        ([], [], None),
    ):
        assert tau_b(first, second) == pytest.approx(value, abs=1e-12), (first, second)


@given(ORDERS, st.data())
def test_resample_counts_repeated_performances(both, data):
    first, second = zip(*both, strict=True)
    weights = data.draw(st.lists(st.integers(0, 5), min_size=len(both), max_size=len(both)))
    drawn = [pair for pair, weight in zip(both, weights, strict=True) for _ in range(weight)]
    expected = tau_b(*zip(*drawn, strict=True)) if drawn else None
    assert _Pairs(first, second).tau(weights) == pytest.approx(expected, abs=1e-12)


@given(ORDERS, st.randoms())
def test_agreement_ignores_the_order_of_performances(both, chance):
    mixed = list(both)
    chance.shuffle(mixed)
    one, other = (agreement(*map(tuple, zip(*pairs, strict=True)), "7-9") for pairs in (both, mixed))
    assert one == other


def noisy(count=84, noise=25):
    chance = random.Random(5)  # noqa: S311 - test data
    return tuple(range(count)), tuple(round(place + chance.gauss(0, noise)) for place in range(count))


def test_interval_is_the_middle_nine_tenths_of_resamples():
    first, second = noisy()
    chance, taus = random.Random("7-9"), []  # noqa: S311 - as the interval is seeded
    both = sorted(zip(first, second, strict=True))
    for _ in range(RESAMPLES):
        drawn = chance.choices(range(len(both)), k=len(both))
        taus.append(tau_b(*zip(*(both[place] for place in drawn), strict=True)))
    taus.sort()
    computed = agreement(first, second, "7-9")
    assert (computed.lowest, computed.highest) == pytest.approx((taus[49], taus[949]), abs=1e-12)
    assert computed.lowest < computed.tau < computed.highest
    assert agreement(first, second, "7-10") != computed


def test_another_process_computes_the_same_interval():
    first, second = noisy()
    code = f"from apps.jury.comparison import agreement; print(agreement({first}, {second}, '7-9'))"
    shown = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env={"PYTHONHASHSEED": "77"}
    )
    assert shown.stdout.strip() == str(agreement(first, second, "7-9"))


def test_interval_of_84_performances_is_fast_and_cached():
    first, second = noisy()
    begun = time.process_time()
    agreement(first, second, "cold")
    assert time.process_time() - begun < 1 / 3
    begun = time.process_time()
    agreement(first, second, "cold")
    assert time.process_time() - begun < 1 / 300, "cached"


def test_few_performances_have_no_interval():
    for count in (0, 1, LEAST_SPREAD - 1):
        order = tuple(range(count))
        assert agreement(order, order, "1") == Agreement(count, 1.0 if count > 1 else None)
        assert agreement((*order, 98, 99), (*order, 98, 99), "1").lowest == (1.0 if count + 2 >= LEAST_SPREAD else None)


def test_equal_ranks_share_a_place_and_skip_the_next():
    assert ranks_among({7: 40, 8: 2, 9: 40, 10: 90}) == {8: 1, 7: 2, 9: 2, 10: 4}
