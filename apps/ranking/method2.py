"""The audience ranking of a stage: the method of Parterre's ranking, versions 2 and 3, as the site itself runs it.

    python ranking.py marks.csv STAGE RUN

prints what the site publishes for this run of the stage: rank, performer, score, the intervals of rank and score, the
number of raters and the plain mean. STAGE and RUN are the two numbers named beside the file. The program needs Python
3.10 or newer and nothing else. It may take minutes; with numpy it prints the same digits faster. The versions differ in
the rule by which raters weigh less; their weights are in the file, so this program is the same.

`marks.csv` has a line for each mark: a number for the rater, the performer, the points that the rater gave to pieces
of the performance in total, the number of these pieces, and the rater's weight (1, 1/2, 1/4 or 0). A further column,
the salt, is used only to check the commitment. A mark is points / pieces, from 1 to 25.

The commitment of a run can be checked with the salts. The text of a sheet is the rater's weight and a line feed, then
for each performance, in the order of step 7, performer, tab, points, tab, pieces and line feed, in UTF-8. Each sheet is
hashed as the SHA-256 of its salt (16 bytes) and its text; the commitment is the SHA-256 of these hashes, sorted, one
after the other.

All arithmetic is in whole numbers, so every program gets the same digits. Marks, offsets and scores are in
ten-thousandths of a point, weights of marks in millionths. Below, "rounded" means to the nearest whole number of these
units, and a half is rounded up: a / b becomes the largest whole number that is not above a / b + 1 / 2. Raters count in
quarters: q is 4, 2 or 1 for the weights 1, 1/2 and 1/4.

1. Input. Raters of weight 0 are left out. Then performances with fewer than ten raters are removed, then raters with
   fewer than three performances, and both again until all that remain have enough. A removed performance has no rank,
   score or mean, only the number of raters that it had when it was removed. Each mark m is 10000 points / pieces,
   rounded.
2. Begin. All offsets o are 0. The score c of each performance is the mean of its marks, weighted by q and rounded.
   Then steps 3 to 5 are done twenty times.
3. Weights. The distance d of a mark is m - o - c, with its rater's offset and its performance's score. Write down the
   absolute distance of each mark of the stage q times and sort the list: the median is the mean of the two middle
   entries, or the middle one. The scale s is 1.4826 times the median, rounded, and at least 500. The weight w of a
   mark is 1000000 times 5 s² / (4 s² + d²), rounded. These are the weights of Student's t distribution with 4
   degrees of freedom (Lange, Little and Taylor 1989): a mark far from the others counts little.
4. Scores. The new score c of a performance is the sum of q w (m - o) over its marks by the sum of q w, rounded, and
   kept from 10000 to 250000.
5. Offsets. Some raters mark high or low throughout. For a rater with n marks, sort the n differences m - c, write down
   each of them five times, leave out the first n and the last n entries, and divide the sum of the others by
   3 (n + 3), rounded: this is the new offset o. It is the mean without the outer fifths times n / (n + 3), so a rater
   with few marks is moved little. With the new offsets the next round begins at step 3.
6. Added marks. The average a is the sum of q (m - o) by the sum of q over all marks of the stage, rounded, and kept
   from 10000 to 250000. With Q as the sum of q over the marks of a performance, its final score is (Q c + 40 a) /
   (Q + 40), rounded: ten marks of the average are added, so that a few raters neither lift nor sink a performance. It
   is published in points with two decimals, from the fraction (Q c + 40 a) / (100 (Q + 40)), rounded. Equal published
   scores share a rank; the rank is 1 more than the number of performances with a higher published score.
7. Draws. How far do the results depend on who happened to take part? The raters are sorted by their marks (the list of
   performer and m, in the order of performers by Unicode code points, compared entry by entry, a shorter list before
   its continuations), equal lists by q, and numbered from 0 to R - 1. The seed is the SHA-256 of the text of STAGE, a
   space and RUN. In draw b, from 0 to 199, block k, from 0 on, is the SHA-256 of 40 bytes: the 32 bytes of the seed, b
   as 4 bytes and k as 4 bytes, highest byte first. Each block has 8 numbers of 4 bytes, highest first. The first R
   numbers x of a draw choose the raters: the one with the number x R / 2^32, without its fraction. So each draw has as
   many raters as the stage, some of them several times and some not at all (Efron 1979, the bootstrap).
8. In each draw q is multiplied by how often the rater was chosen. Beginning again with step 2, steps 3 to 5 are done
   five times and step 6 once; the final score of a performance without a drawn mark is the average a. The deviation of
   a performance's drawn final score, in ten-thousandths, from its final score is multiplied by f / 1000000 and rounded
   if the performance has n < 30 raters; f is the whole number nearest to 1000000 times the square root of n / (n - 1),
   because a draw from few raters varies too little. The result is added to the final score and kept from 10000 to
   250000.
9. Intervals. In each draw a performance has a best rank, 1 more than the number of higher results, and a worst rank,
   the number of results that are as high or higher. Of the 200 best ranks, sorted, the 11th is the best rank of the
   interval; of the 200 worst ranks the 190th is the worst one. The ends of the score's interval are the 11th and the
   190th of the 200 results, rounded to two decimals. Both intervals are widened to contain the published score and all
   ranks that equal scores share. They contain nine tenths of the draws: the smallest and the largest twentieth are left
   out. A performance for which all draws have one result has no intervals, because marks without any difference do not
   show how sure they are.
10. The plain mean of a performance is the mean of the exact fractions points / pieces of its raters, without
   weights, rounded to two decimals.
"""

from __future__ import annotations

import csv
import hashlib
import math
import struct
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

VERSION = 2
LEAST_PERFORMANCES = 3  # performances that a rater must have marked
LEAST_RATERS = 10  # raters that a performance needs
ROUNDS, DRAWN_ROUNDS = 20, 5
FREEDOM = 4  # degrees of freedom of Student's t
SHRINKAGE = 3  # of offsets
ADDED = 10  # marks of the stage's average, added to each performance
POINT, HUNDREDTH = 10_000, 100  # in ten-thousandths of a point
LOWEST, HIGHEST = POINT, 25 * POINT
UNIT, QUARTERS = 1_000_000, 4  # of a weight, of a rater
LEAST_SCALE, MEDIAN_TO_SCALE = 500, 14_826
DRAWS, LEFT_OUT = 200, 10  # LEFT_OUT draws are cut off at each end
FEW_RATERS = 30  # below, the deviations of draws are multiplied
WEIGHTS = {"1": 4, "1/2": 2, "1/4": 1, "0": 0}  # in quarters
BITS = 20  # of numbers that are packed into one: differences between mark and score, distances, q
SORTED_BELOW = 50_000  # marks up to which sorting is faster than counting


class Given(NamedTuple):
    """One mark: its rater, its performer, points and pieces, and the rater's weight in quarters."""

    rater: str
    performer: str
    points: int
    pieces: int
    quarters: int = QUARTERS


class Row(NamedTuple):
    """A performance's place; scores and means are in hundredths. A removed performance has its raters' number alone."""

    rank: int | None
    performer: str
    score: int | None
    lowest: int | None  # best rank of the interval
    highest: int | None
    score_from: int | None
    score_to: int | None
    raters: int
    mean: int | None  # of the uncorrected marks


class Ranking(NamedTuple):
    """All rows, ranked ones first, with the number of raters and marks of the input."""

    rows: list[Row]
    raters: int
    marks: int


class Stage(NamedTuple):
    """The input in numbers: performers and raters in their order, and a mark in each line, sorted by performer."""

    performers: list[str]
    quarters: list[int]  # by rater
    columns: list[int]  # performer, rater and mark of each line
    raters: list[int]
    marks: list[int]
    counts: list[int]  # raters by performer


class Fitted(NamedTuple):
    """The performances' scores c and masses (sums of q), and the stage's average."""

    scores: list[int]
    masses: list[int]
    average: int


def ranking(marks: Iterable[Given], *, stage: int, run: int, with_numpy: bool = True) -> Ranking:
    """Return the ranking of these marks; `stage` and `run` seed the draws. The result is the same without numpy."""
    sheets, removed = reduced(marks)
    unranked = [Row(None, name, None, None, None, None, None, count, None) for name, count in removed.items()]
    unranked.sort(key=lambda row: (-row.raters, row.performer))
    numbers = numbered(sheets)
    if not numbers.marks:
        return Ranking(unranked, 0, 0)
    rows = ranked_rows(numbers, plain_means(sheets), seed_of(stage, run), with_numpy=with_numpy)
    return Ranking(rows + unranked, len(sheets), len(numbers.marks))


def reduced(marks: Iterable[Given]) -> tuple[list[dict[str, Given]], dict[str, int]]:
    """Return the sheets that remain after step 1, and the number of raters of each removed performance."""
    by_rater: dict[str, dict[str, Given]] = defaultdict(dict)
    removed: dict[str, int] = {}
    for mark in marks:
        removed[mark.performer] = 0
        if mark.quarters:
            by_rater[mark.rater][mark.performer] = mark
    sheets, size = list(by_rater.values()), -1
    counts: Counter[str] = Counter()
    while size != (size := sum(map(len, sheets))):
        counts = Counter(performer for sheet in sheets for performer in sheet)
        few = {performer: count for performer, count in counts.items() if count < LEAST_RATERS}
        removed |= few
        sheets = [{each: mark for each, mark in sheet.items() if each not in few} for sheet in sheets]
        sheets = [sheet for sheet in sheets if len(sheet) >= LEAST_PERFORMANCES]
    return sheets, {performer: count for performer, count in removed.items() if performer not in counts}


def numbered(sheets: list[dict[str, Given]]) -> Stage:
    """Return the sheets in numbers, raters in the order of step 7."""
    performers = sorted({performer for sheet in sheets for performer in sheet})
    column = {performer: at for at, performer in enumerate(performers)}
    ordered = sorted(
        (sorted((column[each], ratio(POINT * mark.points, mark.pieces)) for each, mark in sheet.items()), quarters)
        for sheet in sheets
        for quarters in {mark.quarters for mark in sheet.values()}
    )
    lines = sorted((each, rater, mark) for rater, (sheet, _) in enumerate(ordered) for each, mark in sheet)
    columns, raters, marks = (list(part) for part in zip(*lines, strict=True)) if lines else ([], [], [])
    counts = Counter(columns)
    own = [quarters for _, quarters in ordered]
    return Stage(performers, own, columns, raters, marks, [counts[at] for at in column.values()])


def ratio(above: Any, below: Any) -> Any:
    """Return above / below, rounded half-up, for positive whole numbers `below` or arrays of them."""
    return (above + below // 2) // below


def within(score: int) -> int:
    """Return a score kept from 1 to 25 points."""
    return min(max(score, LOWEST), HIGHEST)


def ranked_rows(stage: Stage, means: dict[str, int], seed: bytes, *, with_numpy: bool) -> list[Row]:
    """Return the rows of all performances of the input, by rank."""
    fitting = fitting_of(stage, with_numpy=with_numpy)
    fitted = fitting.fit([1] * len(stage.quarters), ROUNDS)
    finals, published = final_scores(fitted), final_scores(fitted, HUNDREDTH)
    results = []
    for draw in range(DRAWS):
        times = times_drawn(seed, draw, len(stage.quarters))
        again = final_scores(fitting.fit(times, DRAWN_ROUNDS))
        results.append([widened(*each) for each in zip(finals, again, stage.counts, strict=True)])
    intervals = intervals_of(results)
    rows = []
    for name, score, interval, count in zip(stage.performers, published, intervals, stage.counts, strict=True):
        rank, last = 1 + sum(each > score for each in published), sum(each >= score for each in published)
        ends: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
        if interval:
            lowest, highest, score_from, score_to = interval
            ends = (min(lowest, rank), max(highest, last), min(score_from, score), max(score_to, score))
        rows.append(Row(rank, name, score, *ends, count, means[name]))
    return sorted(rows, key=lambda row: (row.rank, row.performer))


def final_scores(fitted: Fitted, unit: int = 1) -> list[int]:
    """Return the scores of step 6, with the added marks; a `unit` of 100 returns hundredths of a point."""
    added = ADDED * QUARTERS
    return [
        ratio(mass * score + added * fitted.average, unit * (mass + added))
        for score, mass in zip(fitted.scores, fitted.masses, strict=True)
    ]


def widened(final: int, drawn: int, count: int) -> int:
    """Return a drawn score with its deviation multiplied if the performance has few raters."""
    deviation = drawn - final
    if count < FEW_RATERS:
        factor = (math.isqrt(4 * UNIT * UNIT * count // (count - 1)) + 1) // 2
        deviation = ratio(deviation * factor, UNIT)
    return within(final + deviation)


def intervals_of(results: list[list[int]], cut: int = LEFT_OUT) -> list[tuple[int, int, int, int] | None]:
    """Return the interval of ranks and of scores for each performance; None if its result is always the same."""
    size = len(results[0])
    best: list[list[int]] = []
    worst: list[list[int]] = []
    for drawn in results:
        ordered = sorted(drawn)
        best.append([1 + size - bisect_right(ordered, each) for each in drawn])
        worst.append([size - bisect_left(ordered, each) for each in drawn])
    intervals: list[tuple[int, int, int, int] | None] = []
    for scores, firsts, lasts in zip(
        *(map(sorted, zip(*part, strict=True)) for part in (results, best, worst)), strict=True
    ):
        ends = [ratio(each, HUNDREDTH) for each in (scores[cut], scores[-cut - 1])]
        is_constant = scores[0] == scores[-1]
        intervals.append(None if is_constant else (firsts[cut], lasts[-cut - 1], ends[0], ends[1]))
    return intervals


def seed_of(stage: int, run: int) -> bytes:
    """Return the seed of a run's draws."""
    return hashlib.sha256(f"{stage} {run}".encode()).digest()


def times_drawn(seed: bytes, draw: int, count: int) -> list[int]:
    """Return how often each of `count` raters is chosen in a draw."""
    head, times = seed + draw.to_bytes(4, "big"), [0] * count
    blocks = (hashlib.sha256(head + block.to_bytes(4, "big")).digest() for block in range((count + 7) // 8))
    for number in islice(chain.from_iterable(struct.iter_unpack(">8I", b"".join(blocks))), count):
        times[number * count >> 32] += 1
    return times


class Lists:
    """The fit in plain Python."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.lines = list(zip(stage.columns, stage.raters, stage.marks, strict=True))
        self.sheets: list[list[tuple[int, int]]] = [[] for _ in stage.quarters]
        for column, rater, mark in self.lines:
            self.sheets[rater].append((column, mark))

    def fit(self, times: Sequence[int], rounds: int) -> Fitted:
        """Return the scores after step 2 and these rounds of steps 3 to 5, and the average of step 6."""
        q = [own * taken for own, taken in zip(self.stage.quarters, times, strict=True)]
        masses, sums, total = [0] * len(self.stage.counts), [0] * len(self.stage.counts), 0
        for column, rater, mark in self.lines:
            masses[column] += q[rater]
            sums[column] += q[rater] * mark
        scores = [ratio(each, mass) if mass else LOWEST for each, mass in zip(sums, masses, strict=True)]
        offsets = [0] * len(q)
        for _ in range(rounds):
            scores = self._scores(q, scores, offsets)
            offsets = [offset_of([mark - scores[column] for column, mark in sheet]) for sheet in self.sheets]
        for _, rater, mark in self.lines:
            total += q[rater] * (mark - offsets[rater])
        return Fitted(scores, masses, within(ratio(total, sum(masses))))

    def _scores(self, q: list[int], scores: list[int], offsets: list[int]) -> list[int]:
        distances = [mark - offsets[rater] - scores[column] for column, rater, mark in self.lines]
        masses: Counter[int] = Counter()
        for (_, rater, _), distance in zip(self.lines, distances, strict=True):
            masses[abs(distance)] += q[rater]
        square = scale_of(sorted(masses.items())) ** 2
        sums, weights = [0] * len(scores), [0] * len(scores)
        for (column, rater, mark), distance in zip(self.lines, distances, strict=True):
            if q[rater]:
                below = FREEDOM * square + distance * distance
                weight = q[rater] * ratio(UNIT * (FREEDOM + 1) * square, below)
                sums[column] += weight * (mark - offsets[rater])
                weights[column] += weight
        return [
            within(ratio(above, below)) if below else score
            for above, below, score in zip(sums, weights, scores, strict=True)
        ]


def scale_of(masses: list[tuple[int, int]]) -> int:
    """Return the scale s of absolute distances, sorted, each with the number of times that it is written down."""
    total, passed = sum(mass for _, mass in masses), 0
    low = high = -1
    for distance, mass in masses:
        passed += mass
        if low < 0 and 2 * passed >= total:
            low = distance
        if 2 * passed > total:
            high = distance
            break
    return max(LEAST_SCALE, int(ratio(MEDIAN_TO_SCALE * (low + high), 2 * POINT)))


def offset_of(differences: list[int]) -> int:
    """Return the offset of a rater from the differences of step 5."""
    count = len(differences)
    kept = sum(part * each for part, each in zip(kept_fifths(count), sorted(differences), strict=True))
    return int(ratio(kept, 3 * (count + SHRINKAGE)))


def kept_fifths(count: int) -> list[int]:
    """Return how many of the five copies of each of `count` sorted values remain without the outer fifths."""

    def place(at: int) -> int:
        return min(max(5 * at, count), 4 * count)

    return [place(at + 1) - place(at) for at in range(count)]


class Arrays:
    """The same fit with numpy's 64-bit integers.

    No product or sum overflows for 10,000 raters. Scores and marks are from 10^4 to 25 10^4, so a difference m - c and
    an offset are at most 24 10^4, and a distance d at most 48 10^4. Then s is at most 711,648, 5 10^6 s² is below
    2.6 10^18 and w is at most 1.25 10^6. The sum of q w (m - o) is at most 4 10^4 x 1.25 10^6 x 49 10^4 < 2.5 10^16,
    and 2^63 is 9.2 10^18.
    """

    def __init__(self, stage: Stage, numpy: Any) -> None:
        self.np = np = numpy
        self.quarters = np.array(stage.quarters, np.int64)
        self.columns, self.raters, self.marks = (
            np.array(part, np.int64) for part in (stage.columns, stage.raters, stage.marks)
        )
        self.counts = np.array(stage.counts, np.int64)
        self.starts = np.cumsum(self.counts) - self.counts
        sizes = np.bincount(self.raters, minlength=len(self.quarters))
        self.sheets = np.cumsum(sizes) - sizes  # where each sheet begins in lines sorted by rater
        fifths = {size: kept_fifths(size) for size in set(sizes.tolist())}
        self.kept = np.array([part for size in sizes.tolist() for part in fifths[size]], np.int64)
        self.below = 3 * (sizes + SHRINKAGE)
        self.keys = (self.raters << BITS) + (1 << BITS - 1)

    def fit(self, times: Any, rounds: int) -> Fitted:
        """Return the scores after step 2 and these rounds of steps 3 to 5, and the average of step 6."""
        np = self.np
        q = (self.quarters * np.asarray(times, np.int64))[self.raters]
        masses, corrected = np.add.reduceat(q, self.starts), self.marks
        scores = ratio(np.add.reduceat(q * self.marks, self.starts), np.maximum(masses, 1)).clip(LOWEST, HIGHEST)
        for _ in range(rounds):
            scores = self._scores(q, scores, corrected)
            corrected = self.marks - self._offsets(scores)[self.raters]
        average = within(ratio(int((q * corrected).sum()), int(masses.sum())))
        return Fitted(scores.tolist(), masses.tolist(), average)

    def _scores(self, q: Any, scores: Any, corrected: Any) -> Any:
        np = self.np
        distances = corrected - np.repeat(scores, self.counts)
        square = self._scale(q, np.abs(distances)) ** 2
        distances *= distances
        distances += FREEDOM * square
        weights = distances // 2
        weights += UNIT * (FREEDOM + 1) * square
        weights //= distances
        weights *= q
        below = np.add.reduceat(weights, self.starts)
        weights *= corrected
        fresh = ratio(np.add.reduceat(weights, self.starts), np.maximum(below, 1))
        return np.where(below > 0, fresh.clip(LOWEST, HIGHEST), scores)

    def _scale(self, q: Any, distances: Any) -> int:
        np = self.np
        if len(q) < SORTED_BELOW:
            keys = np.sort((distances << BITS) + q)
            values, passed = keys >> BITS, np.cumsum(keys & (1 << BITS) - 1)
        else:  # exact in floating point: sums are far below 2^53
            values, passed = np.arange(distances.max() + 1), np.cumsum(np.bincount(distances, weights=q))
        middle = sum(int(values[np.searchsorted(passed, passed[-1] / 2, side)]) for side in ("left", "right"))
        return max(LEAST_SCALE, int(ratio(MEDIAN_TO_SCALE * middle, 2 * POINT)))

    def _offsets(self, scores: Any) -> Any:
        keys = self.keys + self.marks
        keys -= self.np.repeat(scores, self.counts)
        keys.sort()  # by rater, then by difference
        keys &= (1 << BITS) - 1
        keys -= 1 << BITS - 1
        keys *= self.kept
        return ratio(self.np.add.reduceat(keys, self.sheets), self.below)


def fitting_of(stage: Stage, *, with_numpy: bool) -> Lists | Arrays:
    """Return the fit with numpy if it is wanted and installed, else in plain Python."""
    try:
        import numpy  # noqa: ICN001, PLC0415 - optional, and passed on
    except ImportError:
        with_numpy = False
    return Arrays(stage, numpy) if with_numpy else Lists(stage)


def plain_means(sheets: list[dict[str, Given]]) -> dict[str, int]:
    """Return the plain mean of each performance in hundredths, rounded half-up from the exact fraction."""
    points: dict[str, Counter[int]] = defaultdict(Counter)  # by number of pieces
    raters: Counter[str] = Counter()
    for sheet in sheets:
        for performer, mark in sheet.items():
            points[performer][mark.pieces] += mark.points
            raters[performer] += 1
    means = {}
    for performer, sums in points.items():
        exact = HUNDREDTH * sum((Fraction(total, pieces) for pieces, total in sums.items()), Fraction(0))
        means[performer] = ratio(exact.numerator, exact.denominator * raters[performer])
    return means


def sheet_hash(salt: bytes, marks: Iterable[Given]) -> bytes:
    """Return the hash of one rater's sheet, as the commitment has it."""
    ordered = sorted(marks, key=lambda mark: mark.performer)
    weight = next(name for name, value in WEIGHTS.items() if value == ordered[0].quarters)
    lines = "".join(f"{mark.performer}\t{mark.points}\t{mark.pieces}\n" for mark in ordered)
    return hashlib.sha256(salt + f"{weight}\n{lines}".encode()).digest()


def commitment(hashes: Iterable[bytes]) -> str:
    """Return the commitment of a run in hexadecimal."""
    return hashlib.sha256(b"".join(sorted(hashes))).hexdigest()


def main() -> None:
    """Print the ranking of the CSV file, the stage and the run named on the command line."""
    path, stage, run = sys.argv[1:]
    with Path(path).open(encoding="utf-8-sig", newline="") as lines:
        marks = [
            Given(line["rater"], line["performer"], int(line["points"]), int(line["pieces"]), WEIGHTS[line["weight"]])
            for line in csv.DictReader(lines)
        ]
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]  # on any system
    sys.stdout.write("\ufeff")  # as all CSV of the site, for spreadsheets
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Row._fields)
    decimals = {"score", "score_from", "score_to", "mean"}
    for row in ranking(marks, stage=int(stage), run=int(run)).rows:
        values = row._asdict().items()
        writer.writerow(f"{value / 100:.2f}" if name in decimals and value else value for name, value in values)


if __name__ == "__main__":
    main()
