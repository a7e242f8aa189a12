"""The curve of reactions along a performance, and where one may press it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from components.runtime import VdomDict, html

WIDTH, HEIGHT = 600, 38  # the drawing stretches to its place
TALLEST = 34  # the highest peak; a line's breadth is left above it
FEW = 4  # taps that reach the top, where no slice has more: one tap alone is no peak
MOST_PEAKS = 4  # links into a performance, each with its time: more would not fit into a phone's width
APART = 5  # peaks are at least a fifth of the curve from each other
WORTH = 3  # a peak has at least a third of the highest


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the curve that leads to its peak, by slices: from `start` up to before `end`."""

    start: float
    end: float
    peak: int


def peaks(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the few slices where most reactions came, in their order; none without reactions."""
    highest, apart = max(counts, default=0), len(counts) / APART
    found: list[int] = []
    for nth in sorted(range(len(counts)), key=lambda each: (-counts[each], each)):
        is_worth = counts[nth] > 0 and counts[nth] * WORTH >= highest
        if is_worth and len(found) < MOST_PEAKS and all(abs(nth - other) >= apart for other in found):
            found.append(nth)
    return tuple(sorted(found))


def stretches(counts: Sequence[int]) -> tuple[Stretch, ...]:
    """Return the whole curve cut between its peaks, so that a press anywhere selects the nearest peak."""
    tops = peaks(counts)
    cuts = [0.0, *((before + after + 1) / 2 for before, after in pairwise(tops)), float(len(counts))]
    return tuple(Stretch(start, end, peak) for start, end, peak in zip(cuts, cuts[1:], tops, strict=False))


def curve(counts: Sequence[int], slices: int) -> VdomDict:
    """Return the drawing; its width represents `slices` slices, and `counts` are the first of them."""
    highest, ground = max(FEW, *counts), HEIGHT - 1
    across = [round(WIDTH * (nth + 0.5) / slices) for nth in range(len(counts))]
    points = [f"{x} {ground - round(TALLEST * count / highest, 1):g}" for x, count in zip(across, counts, strict=True)]
    end = round(WIDTH * len(counts) / slices)
    line = f"M0 {points[0].split()[1]}L{' '.join(points)}"
    return html.svg(
        {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "preserveAspectRatio": "none", "aria-hidden": "true"},
        html.path({"class": "moments__fill", "d": f"{line}L{end} {points[-1].split()[1]}V{ground}H0z"}),
        html.path({"class": "moments__line", "d": f"{line}H{end}"}),
    )
