"""Sheets that agree with each other better than two listeners do, each given within one hour.

1. A sheet within one hour is the largest set of an account's marks that were given within WITHIN hours; of equally
   large ones, the earliest. It is compared if it has the first number of CLOSEST or more.
2. Two of these sheets agree if the mean absolute difference of their distances m - o - c, over the performances that
   both have, is at most the scale s times the share in CLOSEST for this number of performances. In the study
   (`benchmarks.ranking_study`) no two listeners agree so well.
3. An account is returned if at least OTHERS other sheets agree with its own. With more than MOST sheets, each is
   compared with every k-th one, in the order of time, beginning with the first; k is their number / MOST, rounded up.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

WITHIN = 1.0  # hours
CLOSEST = ((12, 0.2), (20, 0.3), (30, 0.45))  # from so many performances in common on, units of s between two sheets
OTHERS = 4  # other sheets that agree with a sheet that weighs less
MOST = 1_000  # sheets that each is compared with
UNIT = 1_000  # of the shares in CLOSEST
Times = Mapping[int, Sequence[tuple[float, int, int]]]  # by account: hours, performance, distance of each mark


def agreeing(sheets: Times, scale: int) -> dict[int, int]:
    """Return the accounts with at least OTHERS agreeing sheets, with their number; `scale` is s."""
    within = {account: _within_hour(sheet) for account, sheet in sheets.items() if len(sheet) >= CLOSEST[0][0]}
    bulk = sorted((min(sheet)[0], account) for account, sheet in within.items() if len(sheet) >= CLOSEST[0][0])
    if len(bulk) <= OTHERS:
        return {}
    import numpy as np  # noqa: PLC0415 - pages show the constants of this module and compute nothing

    columns = {each: at for at, each in enumerate(sorted({each for sheet in within.values() for _, each, _ in sheet}))}
    distances = np.zeros((len(bulk), len(columns)), np.int64)
    is_marked = np.zeros(distances.shape, np.bool_)
    for row, (_, account) in enumerate(bulk):
        own = [columns[performance] for _, performance, _ in within[account]]
        distances[row, own] = [distance for _, _, distance in within[account]]
        is_marked[row, own] = True
    others = np.zeros(len(bulk), np.int64)
    for row in range(0, len(bulk), -(-len(bulk) // MOST)):
        both = is_marked & is_marked[row]
        sums = (np.abs(distances - distances[row]) * both).sum(axis=1)
        agree = _agree(both.sum(axis=1), sums, scale)
        agree[row] = False
        others += agree
    return {account: int(count) for (_, account), count in zip(bulk, others, strict=True) if count >= OTHERS}


def _agree(common: "np.ndarray", sums: "np.ndarray", scale: int) -> "np.ndarray":
    """Return which sheets agree, from the numbers of common performances and the sums of absolute differences."""
    import numpy as np  # noqa: PLC0415

    shares = np.zeros(len(common), np.int64)
    for least, share in CLOSEST:
        shares[common >= least] = round(UNIT * share)
    return np.asarray((shares > 0) & (UNIT * sums <= shares * scale * common))


def _within_hour(sheet: Sequence[tuple[float, int, int]]) -> Sequence[tuple[float, int, int]]:
    """Return the largest set of marks within WITHIN hours."""
    ordered = sorted(sheet)
    times = [at for at, _, _ in ordered]
    ends = [bisect_right(times, at + WITHIN) for at in times]
    begin = max(range(len(ends)), key=lambda at: ends[at] - at)
    return ordered[begin : ends[begin]]
