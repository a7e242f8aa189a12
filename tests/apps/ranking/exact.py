"""A second implementation of the ranking's method, version 2, written from its published description alone.

It works with fractions and lists, mark by mark, and shares no code with `apps/ranking/method2.py`.
"""

import hashlib
from collections.abc import Iterable
from fractions import Fraction
from math import floor, isqrt
from statistics import median

Line = tuple[str, str, int, int, int]  # rater, performer, points, pieces, quarters


def nearest(value: Fraction) -> int:
    """Return the nearest whole number; a half is rounded up."""
    return floor(value + Fraction(1, 2))


def kept(score: int) -> int:
    """Return a score within the scale."""
    return sorted((10_000, score, 250_000))[1]


def input_of(lines: Iterable[Line]) -> tuple[list[Line], dict[str, int]]:
    """Step 1: the remaining lines, and the raters of each removed performance."""
    every = list(lines)
    left = [line for line in every if line[4]]
    removed = {}
    while True:
        raters = {name: {line[0] for line in left if line[1] == name} for name in {line[1] for line in every}}
        removed |= {name: len(found) for name, found in raters.items() if len(found) < 10 and name not in removed}
        fewer = [line for line in left if len(raters[line[1]]) >= 10]
        heard = {name: len({line[1] for line in fewer if line[0] == name}) for name in {line[0] for line in fewer}}
        fewer = [line for line in fewer if heard[line[0]] >= 3]
        if fewer == left:
            return left, removed
        left = fewer


class Evening:
    """The marks of step 1, by rater in the order of step 7."""

    def __init__(self, lines: list[Line]) -> None:
        sheets: dict[str, dict[str, int]] = {}
        quarters = {}
        for rater, performer, points, pieces, own in lines:
            sheets.setdefault(rater, {})[performer] = nearest(Fraction(10_000 * points, pieces))
            quarters[rater] = own
        order = sorted(sheets, key=lambda rater: (sorted(sheets[rater].items()), quarters[rater]))
        self.sheets = [sheets[rater] for rater in order]
        self.quarters = [quarters[rater] for rater in order]
        self.performers = sorted({performer for sheet in self.sheets for performer in sheet})

    def marks_of(self, performer: str) -> list[tuple[int, int]]:
        """Return the rater and mark of each mark of a performance."""
        return [(rater, sheet[performer]) for rater, sheet in enumerate(self.sheets) if performer in sheet]

    def begin(self, q: list[int]) -> dict[str, int]:
        """Step 2, for the performances with a mark."""
        scores = {}
        for performer in self.performers:
            marks = self.marks_of(performer)
            if mass := sum(q[rater] for rater, _ in marks):
                scores[performer] = nearest(Fraction(sum(q[rater] * mark for rater, mark in marks), mass))
        return scores

    def rounds(self, count: int, q: list[int]) -> tuple[dict[str, int], list[int]]:
        """Steps 2 to 5, the last three `count` times."""
        scores, offsets = self.begin(q), [0] * len(self.sheets)
        for _ in range(count):
            listed = [
                abs(mark - offsets[rater] - scores[performer])
                for rater, sheet in enumerate(self.sheets)
                for performer, mark in sheet.items()
                for _ in range(q[rater])
            ]
            square = max(500, nearest(Fraction(14_826, 10_000) * Fraction(median(map(Fraction, listed))))) ** 2
            fresh = {}
            for performer in scores:
                above = below = 0
                for rater, mark in self.marks_of(performer):
                    away = mark - offsets[rater] - scores[performer]
                    weight = q[rater] * nearest(1_000_000 * Fraction(5 * square, 4 * square + away**2))
                    above += weight * (mark - offsets[rater])
                    below += weight
                fresh[performer] = kept(nearest(Fraction(above, below)))
            scores = fresh
            offsets = [self._offset(sheet, scores) if q[rater] else 0 for rater, sheet in enumerate(self.sheets)]
        return scores, offsets

    @staticmethod
    def _offset(sheet: dict[str, int], scores: dict[str, int]) -> int:
        count = len(sheet)
        copies = [mark - scores[performer] for performer, mark in sheet.items() for _ in range(5)]
        return nearest(Fraction(sum(sorted(copies)[count : 4 * count]), 3 * (count + 3)))

    def finals(self, scores: dict[str, int], offsets: list[int], q: list[int]) -> dict[str, Fraction]:
        """Step 6, in ten-thousandths and not rounded."""
        pairs = [
            (q[rater], mark - offsets[rater]) for rater, sheet in enumerate(self.sheets) for mark in sheet.values()
        ]
        average = kept(nearest(Fraction(sum(own * mark for own, mark in pairs), sum(own for own, _ in pairs))))
        found = {}
        for performer in self.performers:
            mass = sum(q[rater] for rater, _ in self.marks_of(performer))
            found[performer] = Fraction(mass * scores.get(performer, 0) + 40 * average, mass + 40)
        return found

    def chosen(self, stage: int, run: int, draw: int) -> list[int]:
        """Step 7: the raters of a draw."""
        size = len(self.sheets)
        seed = hashlib.sha256(f"{stage} {run}".encode("ascii")).digest()
        numbers: list[int] = []
        block = 0
        while len(numbers) < size:
            digits = hashlib.sha256(seed + bytes([0, 0, 0, draw]) + block.to_bytes(4, "big")).hexdigest()
            numbers += [int(digits[at : at + 8], 16) for at in range(0, 64, 8)]
            block += 1
        return [floor(Fraction(number * size, 2**32)) for number in numbers[:size]]

    def results(self, stage: int, run: int, draw: int, finals: dict[str, Fraction]) -> dict[str, int]:
        """Step 8."""
        chosen = self.chosen(stage, run, draw)
        q = [own * chosen.count(rater) for rater, own in enumerate(self.quarters)]
        drawn = self.finals(*self.rounds(5, q), q)
        found = {}
        for performer in self.performers:
            final, count = nearest(finals[performer]), len(self.marks_of(performer))
            deviation = nearest(drawn[performer]) - final
            if count < 30:
                deviation = nearest(Fraction(deviation * factor(count), 1_000_000))
            found[performer] = kept(final + deviation)
        return found


def factor(count: int) -> int:
    """Return the whole number nearest to a million times the root of n / (n - 1)."""
    below = isqrt(10**12 * count // (count - 1))
    # below + 1/2 is nearer than the root, or not
    return below + (Fraction(10**12 * count, count - 1) > (below + Fraction(1, 2)) ** 2)


def two_decimals(ten_thousandths: Fraction) -> int:
    """Return hundredths of a point."""
    return nearest(ten_thousandths / 100)


def rows(lines: Iterable[Line], stage: int, run: int, draws: int = 200) -> dict[str, tuple[int | None, ...]]:
    """Return rank, score, interval of ranks, interval of scores, raters and mean, in hundredths, by performer."""
    lines = list(lines)
    left, removed = input_of(lines)
    found: dict[str, tuple[int | None, ...]] = {
        performer: (None, None, None, None, None, None, count, None) for performer, count in removed.items()
    }
    if not left:
        return found
    evening = Evening(left)
    finals = evening.finals(*evening.rounds(20, evening.quarters), evening.quarters)
    scores = {name: two_decimals(final) for name, final in finals.items()}
    drawn = [evening.results(stage, run, draw, finals) for draw in range(draws)]
    for name, score in scores.items():
        marks = [Fraction(points, pieces) for _, performer, points, pieces, _ in left if performer == name]
        rank = 1 + sum(other > score for other in scores.values())
        last = rank - 1 + sum(other == score for other in scores.values())
        results = sorted(draw[name] for draw in drawn)
        ends: tuple[int | None, ...] = (None, None, None, None)
        if len(set(results)) > 1:
            best = sorted(1 + sum(other > draw[name] for other in draw.values()) for draw in drawn)
            worst = sorted(sum(other >= draw[name] for other in draw.values()) for draw in drawn)
            ends = (
                min(rank, best[10]),
                max(last, worst[draws - 11]),
                min(score, two_decimals(Fraction(results[10]))),
                max(score, two_decimals(Fraction(results[draws - 11]))),
            )
        found[name] = (rank, score, *ends, len(marks), two_decimals(10_000 * sum(marks, Fraction(0)) / len(marks)))
    return found
