"""The drawn reaction curve: its peaks, and the stretches that can be pressed."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.ui.reaction_curve import APART, MOST_PEAKS, curve, peaks, stretches
from tests.components.seen import attributes, every


@pytest.mark.parametrize(
    ("counts", "tops"),
    [
        ((), ()),
        ((0, 0, 0), ()),
        ((4,), (0,)),
        ((0, 1, 9, 8, 0, 0, 0, 0, 0, 3), (2, 9)),  # 8 is next to the higher 9; 3 is a third of 9
        ((0, 1, 9, 8, 0, 0, 0, 0, 0, 2), (2,)),  # less than a third is no peak
        ((5, 5, 5, 5, 5, 5, 5, 5, 5, 5), (0, 4, 8)),  # the first of equal slices
    ],
)
def test_the_few_highest_slices_apart_from_each_other(counts, tops):
    assert peaks(counts) == tops


def test_peaks_are_never_too_many_nor_too_near():
    counts = [(nth * 7919) % 31 for nth in range(60)]
    tops = peaks(counts)
    assert 1 <= len(tops) <= MOST_PEAKS
    assert min(after - before for before, after in pairwise(tops)) >= len(counts) * APART
    assert counts[max(tops, key=lambda nth: counts[nth])] == max(counts)


def test_the_stretches_cover_the_curve_and_each_holds_its_peak():
    counts = [0, 0, 7, 0, 0, 0, 0, 0, 9, 0]
    first, second = stretches(counts)
    assert (first.start, first.end, first.peak) == (0, 5.5, 2)
    assert (second.start, second.end, second.peak) == (5.5, 10, 8)
    assert stretches([0, 0]) == ()


@given(st.lists(st.integers(0, 30), min_size=60, max_size=60))
def test_times_with_hours_neither_meet_nor_leave_the_curve_on_the_narrowest_screen(counts):
    """A label begins its share of the way along its stretch, and is moved back by the same share of its width."""
    width, label, unseen = 284, 66, 0.5  # px; "4:23:01" with its arrow
    edges = [0.0]
    for each in stretches(counts):
        along = (each.peak + 0.5 - each.start) / (each.end - each.start)
        begins = (each.peak + 0.5) / len(counts) * width - along * label
        assert begins >= edges[-1] - unseen
        edges.append(begins + label)
    assert edges[-1] <= width + unseen


def test_a_stretch_is_wide_enough_for_a_finger_on_the_narrowest_screen():
    counts = [5] * 60
    narrowest = min(each.end - each.start for each in stretches(counts)) / len(counts)
    assert narrowest * 284 >= 24  # px; 284 px is the curve's width on a 360 px screen


def test_the_highest_slice_reaches_the_top_and_the_line_ends_with_what_was_played():
    drawn = attributes(every(curve((0, 8, 4), 6), "path")[1])["d"]
    assert drawn == "M0 37h50l100-34l100 17H300"


def test_one_tap_alone_is_no_peak():
    assert attributes(every(curve((1, 0), 2), "path")[1])["d"] == "M0 28.5h150l300 8.5H600"
