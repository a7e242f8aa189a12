"""The curve of reactions along a performance, and the stretches that can be pressed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from components.runtime import VdomDict, html

WIDTH, HEIGHT = 600, 38  # of the view box; the drawing stretches to its element
TALLEST = 34  # the height of the highest peak, with room for the line above it
FEW = 4  # reactions that reach the top if no slice has more, so that a single one does not look like a peak
MOST_PEAKS = 3  # links to peaks, each labelled with its time; more do not fit on a phone with hours
APART = 0.4  # the least distance between peaks, as a share of the curve
WORTH = 3  # a peak has at least a third of the reactions of the highest


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the curve that leads to its peak, by slices: from `start` up to before `end`."""

    start: float
    end: float
    peak: int


def peaks(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the slices with the most reactions, at most MOST_PEAKS, in their order; none without reactions."""
    highest, apart = max(counts, default=0), len(counts) * APART
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
    """Return the drawing; its width represents `slices` slices, and `counts` are the first of them.

    The points are relative to each other, which is a quarter shorter: a live session sends it every two seconds.
    """
    highest, ground = max(FEW, *counts), HEIGHT - 1
    across = [round(WIDTH * (nth + 0.5) / slices) for nth in range(len(counts))]
    heights = [round(TALLEST * count / highest, 1) for count in counts]
    steps = (
        f"l{x - left} {round(before - height, 1):g}"
        for (left, x), (before, height) in zip(pairwise(across), pairwise(heights), strict=True)
    )
    line = f"M0 {ground - heights[0]:g}h{across[0]}{''.join(steps)}".replace(" -", "-")
    end = round(WIDTH * len(counts) / slices)
    return html.svg(
        {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "preserveAspectRatio": "none", "aria-hidden": "true"},
        html.path({"class": "moments__fill", "d": f"{line}H{end}V{ground}H0z"}),
        html.path({"class": "moments__line", "d": f"{line}H{end}"}),
    )
