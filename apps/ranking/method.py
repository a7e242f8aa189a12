"""The audience ranking of a stage: the method of Parterre's ranking, version 1, as the site itself runs it.

    python ranking.py marks.csv

prints what the site says of these marks: rank, performer, score, the interval of the rank, raters and the plain mean.
It needs Python 3.9 or newer and nothing else; the intervals need numpy, and are empty without it.

`marks.csv` has a line for each counted mark: a number for the rater, the performer, and the mark, which is the mean of
what the rater gave to the pieces of the performance, if at least half of the program has a mark (from 1 to 25).

1. A rater counts after marking three performances of the stage.
2. Scale. Some mark high or low throughout: each rater's offset is taken out of their marks. It is the mean of mark
   minus score over their n performances, trimmed by a fifth at each end, times n / (n + 3): who marked little is moved
   little. Some mark in a narrow or in a wide range: from five performances on a factor is fitted, the root mean square
   of the scores about their mean by that of the marks about theirs, between 0.5 and 2. It is brought towards 1 by
   n / (n + 8), and the marks are scaled by it about the rater's own mean. Beginning with no correction at all, scores
   and corrections are computed in turn twenty times.
3. A performance's score is the mean of its corrected marks, trimmed by a fifth at each end; where a fifth is no whole
   number of marks, a fraction of one is left out. So a fifth of all raters moves it little. Trimmed
   means are those of robust statistics (Tukey 1960; Huber and Ronchetti, Robust Statistics), as figure skating has them
   for its panels (ISU Technical Rules, trimmed mean of the panel).
4. Ten marks of the stage's average, the mean of all corrected marks, are added to each performance, so that a few
   raters neither lift nor sink it. It is the weighted rating that IMDb and BoardGameGeek have published.
5. Scores are from 1 to 25, rounded half-up to two decimals at the end. Whoever has ten raters is ranked; equal scores
   share a rank.
6. How sure is it? 1,000 times as many raters are drawn with replacement as there are, and steps 3 to 5 repeated with
   their corrected marks (Efron 1979, the bootstrap). The interval holds the middle nine tenths of the ranks, and the
   rank itself. Raters are drawn in the order of their marks, so that their numbers change nothing, by the Mersenne
   Twister (MT19937, numpy's RandomState), seeded with the eight 32-bit words of the SHA-256 of the marks.

All sums are exactly rounded (`math.fsum`): the order of the lines changes nothing.
"""

from __future__ import annotations

import csv
import hashlib
import math
import sys
from collections import defaultdict
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, NamedTuple

VERSION = 1
LEAST_PERFORMANCES = 3  # performances that a rater must have marked
LEAST_RATERS = 10  # raters that a performance needs for a rank
ROUNDS = 20
OFFSET_SHRINKAGE, SPREAD_SHRINKAGE, SPREAD_FROM = 3, 8, 5
NARROWEST, WIDEST = 0.5, 2.0
ADDED = 10  # marks of the stage's average, added to each performance
LOWEST, HIGHEST = 1.0, 25.0
DRAWS, LEFT_OUT = 1000, 50  # LEFT_OUT draws are cut off at each end
Sheet = tuple[tuple[str, float], ...]  # one rater's marks: performer and mark


class Row(NamedTuple):
    """A performance's place: below LEAST_RATERS it has no rank and no score, without numpy no intervals."""

    rank: int | None
    performer: str
    score: Decimal | None
    lowest: int | None  # best rank of the interval
    highest: int | None
    raters: int
    mean: Decimal  # of the uncorrected marks
    score_from: Decimal | None = None
    score_to: Decimal | None = None


class Ranking(NamedTuple):
    """All rows, ranked ones first, with the number of raters and marks that count, and the digest of the marks."""

    rows: list[Row]
    raters: int
    marks: int
    digest: str


def ranking(marks: Iterable[tuple[str, str, float]]) -> Ranking:
    """Return the ranking of these marks; each mark is a rater, a performer and a number."""
    sheets = sheets_of(marks)
    digest = digest_of(sheets)
    given, corrected = marks_by_performer(sheets), corrections(sheets)
    scores = {name: score for name, score in scores_of(corrected).items() if len(given[name]) >= LEAST_RATERS}
    intervals = drawn_intervals(corrected, list(scores), digest) if scores else {}
    rows = [row(name, marks, scores, intervals.get(name)) for name, marks in given.items()]
    rows.sort(key=lambda each: (each.rank or math.inf, 0 if each.rank else -each.raters, each.performer))
    return Ranking(rows, len(sheets), sum(map(len, sheets)), digest)


def sheets_of(marks: Iterable[tuple[str, str, float]]) -> list[Sheet]:
    """Return the sorted marks of each rater with LEAST_PERFORMANCES or more, without the raters' numbers."""
    by_rater: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for rater, performer, mark in marks:
        by_rater[rater].append((performer, mark))
    return sorted(tuple(sorted(sheet)) for sheet in by_rater.values() if len(sheet) >= LEAST_PERFORMANCES)


def digest_of(sheets: list[Sheet]) -> str:
    """Return the SHA-256 of the marks, in hexadecimal: equal for equal marks, and the seed of the intervals."""
    return hashlib.sha256("\n".join(map(repr, sheets)).encode()).hexdigest()


def row(name: str, given: list[float], scores: dict[str, Decimal], interval: tuple[Any, ...] | None) -> Row:
    """Return a performance's row."""
    score, mean = scores.get(name), rounded(mean_of(given))
    if score is None:
        return Row(None, name, None, None, None, len(given), mean)
    rank = 1 + sum(other > score for other in scores.values())
    if interval is None:
        return Row(rank, name, score, None, None, len(given), mean)
    lowest, highest, *ends = interval
    return Row(rank, name, score, min(lowest, rank), max(highest, rank), len(given), mean, *ends)


def corrections(sheets: list[Sheet]) -> list[Sheet]:
    """Return the sheets with each rater's offset and spread corrected, after ROUNDS iterations."""
    corrected = sheets
    for _ in range(ROUNDS):
        scores = {performer: trimmed_mean(marks) for performer, marks in marks_by_performer(corrected).items()}
        corrected = [correction(sheet, scores) for sheet in sheets]
    return corrected


def correction(sheet: Sheet, scores: dict[str, float]) -> Sheet:
    """Return one rater's marks on the scale of these scores."""
    count = len(sheet)
    offset = trimmed_mean([mark - scores[performer] for performer, mark in sheet]) * count / (count + OFFSET_SHRINKAGE)
    mean, spread = mean_and_spread([mark for _, mark in sheet])
    factor = 1.0
    if count >= SPREAD_FROM and spread > 0:
        fitted = mean_and_spread([scores[performer] for performer, _ in sheet])[1] / spread
        factor += (min(max(fitted, NARROWEST), WIDEST) - 1) * count / (count + SPREAD_SHRINKAGE)
    return tuple((performer, mean + (mark - mean) * factor - offset) for performer, mark in sheet)


def scores_of(corrected: list[Sheet]) -> dict[str, Decimal]:
    """Return every performance's score."""
    by_performer = marks_by_performer(corrected)
    average = mean_of([mark for marks in by_performer.values() for mark in marks]) if by_performer else 0.0
    return {
        performer: rounded((len(marks) * trimmed_mean(marks) + ADDED * average) / (len(marks) + ADDED))
        for performer, marks in by_performer.items()
    }


def drawn_intervals(corrected: list[Sheet], ranked: list[str], seed: str) -> dict[str, tuple[Any, ...]]:
    """Return the interval of ranks and of scores for each ranked performance; an empty dict without numpy."""
    try:
        import numpy as np  # noqa: PLC0415 - the intervals alone need numpy
    except ImportError:
        return {}
    marks = sorted((performer, mark, rater) for rater, sheet in enumerate(corrected) for performer, mark in sheet)
    rated = sorted({performer for performer, _, _ in marks})
    number = {performer: at for at, performer in enumerate(rated)}
    columns = np.array([number[performer] for performer, _, _ in marks])
    values = np.array([mark for _, mark, _ in marks])
    raters = np.array([rater for _, _, rater in marks])
    starts, shown = np.searchsorted(columns, range(len(rated))), [number[performer] for performer in ranked]
    drawing = np.random.RandomState([int(seed[at : at + 8], 16) for at in range(0, 64, 8)])
    scores, ranks = [], []
    for _ in range(DRAWS):
        drawn = (drawing.random_sample(len(corrected)) * len(corrected)).astype(int)
        times = np.bincount(drawn, minlength=len(corrected))[raters]  # how often each mark was drawn
        counts = np.add.reduceat(times, starts)
        average = (times * values).sum() / times.sum()
        ends = 5 * np.cumsum(times)  # where each mark ends, cumulated over all, in fifths of a mark
        through = np.cumsum(5 * counts)
        first, last = (through - 4 * counts)[columns], (through - counts)[columns]  # around the middle three fifths
        kept = np.clip(ends, first, last) - np.clip(ends - 5 * times, first, last)
        sums = np.add.reduceat(kept * values, starts) / 3  # trimmed mean times the number of marks
        score = ((sums + ADDED * average) / (counts + ADDED))[shown]
        scores.append(np.floor(np.clip(score, LOWEST, HIGHEST) * 100 + 0.5) / 100)
        ranks.append(1 + (scores[-1][None, :] > scores[-1][:, None]).sum(axis=1))
    ends_of = [LEFT_OUT, DRAWS - LEFT_OUT - 1]
    of_ranks, of_scores = (np.sort(drawn, axis=0)[ends_of].T.tolist() for drawn in (ranks, scores))
    return {name: (*of_ranks[at], *map(rounded, of_scores[at])) for at, name in enumerate(ranked)}


def marks_by_performer(sheets: list[Sheet]) -> dict[str, list[float]]:
    """Return all marks of each performance."""
    by_performer: dict[str, list[float]] = defaultdict(list)
    for sheet in sheets:
        for performer, mark in sheet:
            by_performer[performer].append(mark)
    return by_performer


def trimmed_mean(marks: list[float]) -> float:
    """Return the mean without the highest and the lowest fifth of the marks, cutting fractions of a mark.

    Of n marks, counted as 5 n fifths, the first n and the last n fifths are left out.
    """
    count, ordered = len(marks), sorted(marks)
    whole, edge = count // 5, 5 - count % 5
    if count == 1:
        return ordered[0]
    inner = [5 * mark for mark in ordered[whole + 1 : count - whole - 1]]
    return math.fsum([edge * ordered[whole], edge * ordered[count - whole - 1], *inner]) / (3 * count)


def mean_of(marks: list[float]) -> float:
    """Return the exactly rounded mean."""
    return math.fsum(marks) / len(marks)


def mean_and_spread(marks: list[float]) -> tuple[float, float]:
    """Return the mean, and the root mean square deviation from it."""
    mean = mean_of(marks)
    return mean, math.sqrt(math.fsum([(mark - mean) ** 2 for mark in marks]) / len(marks))


def rounded(score: float) -> Decimal:
    """Return a score with two decimals, half-up, within the scale."""
    return Decimal(repr(float(min(max(score, LOWEST), HIGHEST)))).quantize(Decimal("0.01"), ROUND_HALF_UP)


def main() -> None:
    """Print the ranking of the CSV file named on the command line."""
    with Path(sys.argv[1]).open(encoding="utf-8", newline="") as lines:
        made = ranking((line["rater"], line["performer"], float(line["mark"])) for line in csv.DictReader(lines))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Row._fields[:7])
    writer.writerows(each[:7] for each in made.rows)


if __name__ == "__main__":
    main()
