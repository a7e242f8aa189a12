"""The drawn reaction curve: its peaks, and the stretches that can be pressed."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from components.ui.reaction_curve import APART, MOST_PEAKS, curve, peaks, stretches
from tests.components.seen import attributes, every


def test_peaks_are_the_highest_slices_few_and_apart():
    tops = {
        (): (),
        (0, 0, 0): (),
        (4,): (0,),
        (0, 1, 9, 8, 0, 0, 0, 0, 0, 3): (2, 9),  # 8 is next to the higher 9; 3 is a third of 9
        (0, 1, 9, 8, 0, 0, 0, 0, 0, 2): (2,),  # less than a third is no peak
        (5, 5, 5, 5, 5, 5, 5, 5, 5, 5): (0, 4, 8),  # the first of equal slices
    }
    assert {counts: peaks(counts) for counts in tops} == tops
    counts = [(nth * 7919) % 31 for nth in range(60)]
    tops = peaks(counts)
    assert 1 <= len(tops) <= MOST_PEAKS
    assert min(after - before for before, after in pairwise(tops)) >= len(counts) * APART
    assert counts[max(tops, key=lambda nth: counts[nth])] == max(counts)


def test_stretches_are_wide_and_contain_their_peaks():
    counts = [0, 0, 7, 0, 0, 0, 0, 0, 9, 0]
    first, second = stretches(counts)
    assert (first.start, first.end, first.peak) == (0, 5.5, 2)
    assert (second.start, second.end, second.peak) == (5.5, 10, 8)
    assert stretches([0, 0]) == ()
    counts = [5] * 60
    narrowest = min(stretch.end - stretch.start for stretch in stretches(counts)) / len(counts)
    assert narrowest * 284 >= 24  # px; 284 px is the curve's width on a 360 px screen


@given(st.lists(st.integers(0, 30), min_size=60, max_size=60))
def test_labels_with_hours_fit_on_the_narrowest_screen(counts):
    """A label begins its share of the way along its stretch, and is moved back by the same share of its width."""
    width, label, tolerance = 284, 66, 0.5  # px; "4:23:01" with its arrow
    edges = [0.0]
    for stretch in stretches(counts):
        along = (stretch.peak + 0.5 - stretch.start) / (stretch.end - stretch.start)
        begins = (stretch.peak + 0.5) / len(counts) * width - along * label
        assert begins >= edges[-1] - tolerance
        edges.append(begins + label)
    assert edges[-1] <= width + tolerance


def test_highest_slice_reaches_the_top_and_line_ends_at_the_present():
    drawn = attributes(every(curve((0, 8, 4), 6), "path")[1])["d"]
    assert drawn == "M0 37h50l100-34l100 17H300"
    # A single tap is no peak.
    assert attributes(every(curve((1, 0), 2), "path")[1])["d"] == "M0 28.5h150l300 8.5H600"
