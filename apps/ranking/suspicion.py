"""How much the accounts of a stage weigh: a continuous score of joint, distant marks, and the weight that follows.

A score is high only if all of these come together: the account's mark of a performance lies far from the other
raters'; more such marks lie on that side of the performance than chance explains; and the account has little else in
common with the audience. Marks within one hour, a shared address block and similar sheets raise a score that is
already above 0, and never alone. The weight is 1, 1/2 or 1/4: only an administrator can leave an account out.

The parameters are public. An account lowers its score only by marking other performances on the evenings of several
days, or marks that are nearer to the audience's.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apps.ranking import method2

NEAR, FAR = 1.0, 2.5  # distances in units of s between which a mark begins to be and is entirely far away
SURPRISE = 1.0  # standard deviations of chance that are not taken as joint behaviour
DAYS = 2.0  # days of honest marks that halve a score
ON_THE_EVENING = 0.75  # factor of a mark that is not late
LINK = 0.25  # by how much each kind of common behaviour raises a score
TOGETHER = 1.0  # hours between marks of the same hour
ALIKE, ALIKE_FROM = 0.5, 3  # points between similar sheets on average, and performances that they need in common
CROWDED = 50  # raters of a stage in one address block, from which it is no sign of anything
HALF_FROM, QUARTER_FROM = 0.2, 0.5


class AccountMark(NamedTuple):
    """A mark with its account; `at` and `day` are hours and days since any fixed moment."""

    account: int
    performance: int
    mark: int  # in ten-thousandths of a point
    at: float
    is_of_the_evening: bool
    block: str = ""  # salted digest of the address block; empty if unknown or a venue's

    @property
    def day(self) -> int:
        """Return the day of the mark."""
        return math.floor(self.at / 24)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """An account's score from 0 to 1, the performance that it follows from, and the parts of the score."""

    score: float
    performance: int
    distance: float  # of its mark from the others, from 0 to 1
    thinness: float  # how little else it has in common with the audience
    excess: float  # share of the marks on this side that chance does not explain
    links: tuple[float, float, float]  # shares of these marks in the same hour, block, and with similar sheets

    @property
    def quarters(self) -> int:
        """Return the account's weight in quarters: 4, 2 or 1."""
        return 4 if self.score < HALF_FROM else 2 if self.score < QUARTER_FROM else 1


class _Member(NamedTuple):
    """An account with a distant mark on one side of a performance."""

    mark: AccountMark
    distance: float
    thinness: float

    @property
    def mass(self) -> float:
        return self.distance * self.thinness


_Side = tuple[int, bool]  # performance, and whether the marks are above the score


def suspicions(marks: Iterable[AccountMark], scores: Mapping[int, int]) -> dict[int, Suspicion]:
    """Return the suspicion of each account with a score above 0, given the audience's scores in ten-thousandths."""
    sheets: dict[int, list[AccountMark]] = defaultdict(list)
    for mark in marks:
        if mark.performance in scores:
            sheets[mark.account].append(mark)
    sides, raters = _sides(sheets, scores)
    blocks = _usable_blocks(sheets)
    found: dict[int, Suspicion] = {}
    for side, members in sides.items():
        excess = _excess(side, sides, raters)
        for member in members if excess else ():
            suspicion = _suspicion(member, members, excess, sheets, blocks)
            before = found.get(member.mark.account)
            if suspicion.score > 0 and (before is None or before.score < suspicion.score):
                found[member.mark.account] = suspicion
    return found


def reference_quarters(marks: Iterable[AccountMark]) -> dict[int, int]:
    """Return the quarters of each account for the scores from which distances are measured.

    Accounts with late marks of one day only count as 1/4, others with fewer than two days as 1/2, so that a
    crowd of one night cannot make itself the audience that others are far from. The ranking does not use these weights.
    """
    sheets: dict[int, list[AccountMark]] = defaultdict(list)
    for mark in marks:
        sheets[mark.account].append(mark)
    return {account: _reference(days_of(sheet)) for account, sheet in sheets.items()}


def _reference(days: float) -> int:
    return 4 if days >= 2 else 2 if days > 0 else 1  # noqa: PLR2004 - days and quarters of the docstring above


def quarters_of(found: Mapping[int, Suspicion]) -> dict[int, int]:
    """Return the quarters of each account that weighs less than fully."""
    return {account: each.quarters for account, each in found.items() if each.quarters < method2.QUARTERS}


def _sides(
    sheets: Mapping[int, Sequence[AccountMark]], scores: Mapping[int, int]
) -> tuple[dict[_Side, list[_Member]], Counter[int]]:
    """Return the distant marks by side, and the number of raters by performance."""
    away: dict[int, list[int]] = {}
    for account, sheet in sheets.items():
        differences = [mark.mark - scores[mark.performance] for mark in sheet]
        offset = method2.offset_of(differences)
        away[account] = [each - offset for each in differences]
    masses = Counter(abs(each) for own in away.values() for each in own)
    scale = method2.scale_of(sorted(masses.items())) if masses else 1
    sides: dict[_Side, list[_Member]] = defaultdict(list)
    raters: Counter[int] = Counter()
    for account, sheet in sheets.items():
        for mark, distance in zip(sheet, away[account], strict=True):
            raters[mark.performance] += 1
            far = min(max((abs(distance) / scale - NEAR) / (FAR - NEAR), 0.0), 1.0)
            if far:
                sides[mark.performance, distance > 0].append(_Member(mark, far, thinness(mark, sheet)))
    return dict(sides), raters


def days_of(sheet: Collection[AccountMark]) -> float:
    """Return the days on which an account marked: one for each with marks of the evening, a half for each other.

    The first of the other days does not count if there is no evening.
    """
    evenings = {mark.day for mark in sheet if mark.is_of_the_evening}
    later = {mark.day for mark in sheet if not mark.is_of_the_evening} - evenings
    return len(evenings) + max(0, len(later) - (not evenings)) / 2


def thinness(mark: AccountMark, sheet: Collection[AccountMark]) -> float:
    """Return how little else an account has in common with the audience, from 0 to 1, for one of its marks."""
    return DAYS / (DAYS + days_of(sheet)) * (ON_THE_EVENING if mark.is_of_the_evening else 1.0)


def _excess(side: _Side, sides: Mapping[_Side, Sequence[_Member]], raters: Mapping[int, int]) -> float:
    """Return the share of a side's marks that chance does not explain.

    Chance explains as much as the other side of the performance has, or the usual share of raters.
    """
    performance, is_above = side
    others = [each for each in raters if each != performance]
    shares = sorted(_mass(sides.get((each, up), ())) / raters[each] for each in others for up in (False, True))
    usual = shares[len(shares) * 3 // 4] if shares else 0.0  # the upper quartile
    expected = max(usual * raters[performance], _mass(sides.get((performance, not is_above), ())))
    mass = _mass(sides[side])
    return max(0.0, mass - expected - SURPRISE * math.sqrt(expected + 1)) / mass


def _mass(members: Iterable[_Member]) -> float:
    return math.fsum(member.mass for member in members)


def _usable_blocks(sheets: Mapping[int, Sequence[AccountMark]]) -> set[str]:
    accounts: dict[str, set[int]] = defaultdict(set)
    for account, sheet in sheets.items():
        for mark in sheet:
            accounts[mark.block].add(account)
    return {block for block, own in accounts.items() if block and len(own) <= CROWDED}


def _suspicion(
    member: _Member,
    members: Sequence[_Member],
    excess: float,
    sheets: Mapping[int, Sequence[AccountMark]],
    blocks: Collection[str],
) -> Suspicion:
    mark = member.mark
    others = [each for each in members if each.mark.account != mark.account]
    total = _mass(others) or 1.0
    own = {each.performance: each.mark for each in sheets[mark.account]}
    same_hour = _mass(
        each
        for each in others
        if not (mark.is_of_the_evening or each.mark.is_of_the_evening) and abs(each.mark.at - mark.at) <= TOGETHER
    )
    same_block = _mass(each for each in others if mark.block in blocks and each.mark.block == mark.block)
    similar = _mass(each for each in others if _are_alike(own, sheets[each.mark.account], mark.performance))
    links = (same_hour / total, same_block / total, similar / total)
    score = member.mass * excess * (1 + LINK * sum(links))
    return Suspicion(min(score, 1.0), mark.performance, member.distance, member.thinness, excess, links)


def _are_alike(own: Mapping[int, int], other: Iterable[AccountMark], performance: int) -> bool:
    """Whether two sheets have nearly the same marks of other performances."""
    common = [
        abs(own[each.performance] - each.mark)
        for each in other
        if each.performance in own and each.performance != performance
    ]
    return len(common) >= ALIKE_FROM and sum(common) <= ALIKE * method2.POINT * len(common)
