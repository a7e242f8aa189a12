"""A second implementation of the scores of suspicion, written from their description: each mark with each other one.

It works with fractions, compares all marks of a side in pairs, and shares only the parameters with
`apps/ranking/suspicion.py`.
"""

from fractions import Fraction
from math import floor, sqrt
from statistics import median

from apps.ranking import agreement
from apps.ranking import suspicion as rule
from apps.ranking.suspicion import AccountMark
from tests.apps.ranking.exact import nearest

MILLION = 1_000_000


class Stage:
    """The marks of the performances with a score."""

    def __init__(self, marks: list[AccountMark], scores: dict[int, int]) -> None:
        self.marks = [mark for mark in marks if mark.performance in scores]
        self.away = {}
        for mark in self.marks:
            own = [each.mark - scores[each.performance] for each in self.sheet(mark)]
            copies = sorted(5 * own)[len(own) : 4 * len(own)]
            offset = nearest(Fraction(sum(copies), 3 * (len(own) + 3)))
            self.away[mark] = mark.mark - offset - scores[mark.performance]
        middle = median(Fraction(abs(each)) for each in self.away.values())
        self.scale = max(500, nearest(Fraction(14_826, 10_000) * middle))

    def sheet(self, mark: AccountMark) -> list[AccountMark]:
        """Return all marks of the account."""
        return [each for each in self.marks if each.account == mark.account]

    def distance(self, mark: AccountMark) -> Fraction:
        """Step 1."""
        units = Fraction(abs(self.away[mark]), self.scale)
        return min(max((units - Fraction(rule.NEAR)) / Fraction(rule.FAR - rule.NEAR), Fraction(0)), Fraction(1))

    def thinness(self, mark: AccountMark) -> Fraction:
        """Step 2."""
        own = self.sheet(mark)
        is_newcomer = len({each.session for each in own}) == 1 and mark.registered >= mark.session - 24 * rule.NEWCOMER
        if is_newcomer or not any(each.is_of_the_evening for each in own):
            return Fraction(1)
        with_evening = {floor(each.at / 24) for each in self.sheet(mark) if each.is_of_the_evening}
        without = {floor(each.at / 24) for each in self.sheet(mark)} - with_evening
        days = len(with_evening) + Fraction(len(without), 2)
        of_evening = Fraction(rule.ON_THE_EVENING) if mark.is_of_the_evening else 1
        return Fraction(rule.DAYS) / (Fraction(rule.DAYS) + days) * of_evening

    def mass(self, mark: AccountMark) -> Fraction:
        """Step 3."""
        return Fraction(nearest(MILLION * self.distance(mark) * self.thinness(mark)), MILLION)

    def side(self, performance: int, is_above: bool) -> list[AccountMark]:
        """Step 3."""
        return [
            mark
            for mark in self.marks
            if mark.performance == performance and (self.away[mark] > 0) == is_above and self.mass(mark)
        ]

    def whole(self, marks: list[AccountMark]) -> Fraction:
        """Return the mass of these marks."""
        return sum(map(self.mass, marks), Fraction(0))

    def excess(self, performance: int, is_above: bool) -> float:
        """Step 4."""
        raters = {number: sum(each.performance == number for each in self.marks) for number in self.performances()}
        by_rater = sorted(
            self.whole(self.side(number, above)) / raters[number]
            for number in raters
            if number != performance
            for above in (False, True)
        )
        usual = by_rater[len(by_rater) * 3 // 4] if by_rater else Fraction(0)
        square = Fraction(self.scale) ** 2
        other = Fraction(0)
        for mark in self.side(performance, not is_above):
            other += self.mass(mark) * 5 * square / (4 * square + self.away[mark] ** 2)
        expected = max(other, raters[performance] * usual)
        mass = self.whole(self.side(performance, is_above))
        return max(0.0, float(mass - expected) - rule.SURPRISE * sqrt(expected + 1)) / float(mass)

    def performances(self) -> set[int]:
        """Return the numbers of the marked performances."""
        return {mark.performance for mark in self.marks}

    def links(self, mark: AccountMark, side: list[AccountMark]) -> tuple[float, float, float]:
        """Step 5."""
        others = [each for each in side if each != mark]
        in_block = {each.account for each in self.marks if each.block == mark.block}
        is_usable = mark.block != "" and len(in_block) <= rule.CROWDED
        hour = [
            each
            for each in others
            if not mark.is_of_the_evening and not each.is_of_the_evening and abs(each.at - mark.at) <= rule.TOGETHER
        ]
        block = [each for each in others if is_usable and each.block == mark.block]
        step = 1
        while step * rule.SAMPLE < len(side):
            step += 1
        in_order = sorted(side, key=lambda each: (each.at, each.account))
        compared = [each for number, each in enumerate(in_order) if number % step == 0 and each != mark]
        similar = [each for each in compared if self.are_similar(mark, each)]
        pairs = ((hour, others), (block, others), (similar, compared))
        hours, blocks, sheets = (float(self.whole(part) / (self.whole(every) or 1)) for part, every in pairs)
        return hours, blocks, sheets

    def are_similar(self, mark: AccountMark, other: AccountMark) -> bool:
        """Step 5."""
        differences = [
            abs(own.mark - each.mark)
            for own in self.sheet(mark)
            for each in self.sheet(other)
            if own.performance == each.performance != mark.performance
        ]
        if len(differences) < rule.ALIKE_FROM:
            return False
        return Fraction(sum(differences), len(differences)) <= Fraction(rule.ALIKE) * 10_000


def agreeing(marks: list[AccountMark], scores: dict[int, int]) -> dict[int, int]:
    """Return the number of agreeing sheets of each account that has enough of them, comparing all pairs."""
    stage = Stage(marks, scores)
    sheets: dict[int, dict[int, AccountMark]] = {}
    for account in {mark.account for mark in stage.marks}:
        own = sorted((mark for mark in stage.marks if mark.account == account), key=lambda mark: mark.at)
        hours = [[each for each in own if first.at <= each.at <= first.at + agreement.WITHIN] for first in own]
        largest = max(hours, key=len)  # the earliest of equally large ones
        if len(largest) >= agreement.CLOSEST[0][0]:
            sheets[account] = {mark.performance: mark for mark in largest}
    numbers = {
        account: sum(_agree(stage, sheet, other) for other in sheets.values() if other is not sheet)
        for account, sheet in sheets.items()
    }
    return {account: number for account, number in numbers.items() if number >= agreement.OTHERS}


def _agree(stage: Stage, sheet: dict[int, AccountMark], other: dict[int, AccountMark]) -> bool:
    common = sheet.keys() & other.keys()
    shares = [share for least, share in agreement.CLOSEST if len(common) >= least]
    if not shares:
        return False
    total = sum(abs(stage.away[sheet[each]] - stage.away[other[each]]) for each in common)
    return Fraction(total, len(common)) <= Fraction(str(shares[-1])) * stage.scale


def scores_of(marks: list[AccountMark], scores: dict[int, int]) -> dict[int, tuple[float, int, tuple[float, ...]]]:
    """Return score, performance and links by account, for accounts with a product above 0."""
    stage = Stage(marks, scores)
    highest: dict[int, tuple[float, int, AccountMark]] = {}
    sides = {(number, up): stage.side(number, up) for number in stage.performances() for up in (False, True)}
    excesses = {key: stage.excess(*key) for key, side in sides.items() if side}
    for key, side in sides.items():
        for mark in side:
            candidate = (float(stage.mass(mark)) * excesses[key], -mark.performance, mark)
            if candidate[0] > 0 and candidate > highest.get(mark.account, (0.0, 0, mark)):
                highest[mark.account] = candidate
    found = {}
    for account, (product, _, mark) in highest.items():
        links = stage.links(mark, sides[mark.performance, stage.away[mark] > 0])
        found[account] = min(1.0, product * (1 + rule.LINK * sum(links))), mark.performance, links
    return found
