"""How much the accounts of a stage weigh: a continuous score of joint, distant marks, and the weight that follows.

A score is high only if all of these come together: the account's mark of a performance lies far from the other
raters'; more such marks lie on that side of the performance than chance explains; and the account has little else in
common with the audience. Marks within one hour, a shared address block and similar sheets raise a score that is
already above 0, and never alone. The weight is 1, 1/2 or 1/4: only an administrator can leave an account out.

Sheets that agree with each other better than two listeners do weigh 1/4 without distant marks (`agreement.py`).

The parameters are public. An account lowers its score only by marking other performances on the evenings of several
days, or marks that are nearer to the audience's.

1. Distance. The performances' scores c are given (`weighing.judged`). An account's offset o is that of step 5 of
   `method2`, and the scale s is that of its step 3 over all marks m, each taken once. The distance of a mark is
   (|m - o - c| / s - NEAR) / (FAR - NEAR), kept from 0 to 1.
2. Thinness is DAYS / (DAYS + d), multiplied by ON_THE_EVENING for a mark of the evening itself. d is 1 for each day on
   which the account made marks of the evening, and 1/2 for each other day with marks. Thinness is 1 for each mark of an
   account without any mark of an evening, and of a newcomer: an account with marks of one session only that was made
   within NEWCOMER days before this session, or later.
3. Mass. The mass of a mark is distance times thinness, rounded to millionths, so that sums do not depend on their
   order. A performance has two sides: the marks with a mass that lie above its score (m - o - c > 0), and those below.
4. Excess. M is the mass of a side. E is the mass that chance explains: that of the performance's other side, or the
   number of its raters times the usual mass, if this is more. On the other side each mass is multiplied by the weight 5
   s² / (4 s² + d²) that the fit gives a mark of this distance d, so that marks without effect cancel nothing. The usual
   mass is the upper quartile of mass by rater of both sides of all other performances. The excess is (M - E - SURPRISE
   times the square root of E + 1) / M, and at least 0.
5. An account is judged by the mark with its highest mass times excess; of equal ones, by the performance with the
   lowest number. Three links raise this product. Each is a share of the mass of the other marks on that side: of late
   marks within TOGETHER hours, if the mark is late itself; of marks from the same address block, unless the block has
   more than CROWDED raters; and of marks of accounts with similar sheets. Sheets are similar if they have ALIKE_FROM
   other performances or more in common and their marks differ by ALIKE points on average or less. If a side has
   n > SAMPLE marks, this last share is taken of every k-th mark only, in the order of time, beginning with the first;
   k is n / SAMPLE, rounded up. So the work grows with the number of marks, and not with its square.
6. The score is the product times 1 + LINK times the sum of the links, and at most 1. From HALF_FROM on the weight is
   1/2, from QUARTER_FROM on it is 1/4. It is 1/4 for the accounts of `agreement.agreeing`.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from apps.ranking import agreement, method2

NEAR, FAR = 1.0, 2.5  # distances in units of s between which a mark begins to be and is entirely far away
SURPRISE = 2.0  # standard deviations of chance that are not taken as joint behaviour
DAYS = 2.0  # days of honest marks that halve a score
ON_THE_EVENING = 0.75  # factor of a mark that is not late
NEWCOMER = 3  # days before its only session within which an account was made
LINK = 0.25  # by how much each kind of common behaviour raises a score
TOGETHER = 1.0  # hours between marks of the same hour
ALIKE, ALIKE_FROM = 0.5, 3  # points between similar sheets on average, and performances that they need in common
SAMPLE = 200  # most marks of a side for comparing sheets
CROWDED = 50  # raters of a stage in one address block, above which it is no sign of anything
HALF_FROM, QUARTER_FROM = 0.2, 0.5
LEAST = HALF_FROM / (1 + 3 * LINK)  # mass times excess below which no links lead to a weight below 1
UNIT = 1_000_000  # of a mass


class AccountMark(NamedTuple):
    """A mark with its account; `at` and `day` are hours and days since any fixed moment."""

    account: int
    performance: int
    mark: int  # in ten-thousandths of a point
    at: float
    is_of_the_evening: bool
    block: str = ""  # salted digest of the address block; empty if unknown or a venue's
    session: float = 0.0  # beginning of its session, in the same hours: what tells sessions apart
    registered: float = -math.inf  # when the account was made, in the same hours

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
    is_above: bool = True  # side of the performance
    agreeing: int = 0  # other sheets that agree better than listeners do, 0 below `agreement.OTHERS`

    @property
    def quarters(self) -> int:
        """Return the account's weight in quarters: 4, 2 or 1."""
        if self.agreeing:
            return 1
        return 4 if self.score < HALF_FROM else 2 if self.score < QUARTER_FROM else 1


class _Member(NamedTuple):
    """An account with a distant mark on one side of a performance."""

    mark: AccountMark
    distance: float
    thinness: float
    mass: int
    pull: int  # the mass times the weight that step 3 of `method2` gives such a mark


_Sheets = Mapping[int, Sequence[AccountMark]]  # by account
NONE = Suspicion(0.0, 0, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0))  # of an account without distant marks


@dataclass
class _Side:
    """The distant marks on one side of a performance, with the sums from which links follow."""

    is_above: bool = True
    members: list[_Member] = field(default_factory=list)

    @cached_property
    def mass(self) -> int:
        return sum(each.mass for each in self.members)

    @cached_property
    def pull(self) -> int:
        return sum(each.pull for each in self.members)

    @cached_property
    def blocks(self) -> Counter[str]:
        """Return the mass by address block."""
        masses: Counter[str] = Counter()
        for each in self.members:
            masses[each.mark.block] += each.mass
        return masses

    @cached_property
    def late(self) -> tuple[list[float], list[int]]:
        """Return the times of the late marks, sorted, and the mass before each of them and after the last."""
        late = sorted((each.mark.at, each.mass) for each in self.members if not each.mark.is_of_the_evening)
        return [at for at, _ in late], list(accumulate((mass for _, mass in late), initial=0))

    @cached_property
    def sample(self) -> list[_Member]:
        """Return the members for comparing sheets, at most SAMPLE."""
        ordered = sorted(self.members, key=lambda each: (each.mark.at, each.mark.account))
        return ordered[:: -(-len(ordered) // SAMPLE)]

    def around(self, at: float) -> int:
        """Return the mass of the late marks within TOGETHER hours of this time."""
        times, masses = self.late
        return masses[bisect_right(times, at + TOGETHER)] - masses[bisect_left(times, at - TOGETHER)]


_Sides = Mapping[tuple[int, bool], _Side]  # by performance, and whether the marks are above the score


def suspicions(marks: Iterable[AccountMark], scores: Mapping[int, int]) -> dict[int, Suspicion]:
    """Return the suspicion of each account that may weigh less, given the audience's scores in ten-thousandths.

    Accounts that no links could bring to HALF_FROM are left out.
    """
    sheets: dict[int, list[AccountMark]] = defaultdict(list)
    for mark in marks:
        if mark.performance in scores:
            sheets[mark.account].append(mark)
    away, scale = _away(sheets, scores)
    sides, raters = _sides(sheets, away, scale)
    highest: dict[int, tuple[float, int, _Member, _Side, float]] = {}
    for (performance, is_above), side in sides.items():
        excess = _excess(performance, is_above, sides, raters)
        for member in side.members if excess else ():
            product = member.mass * excess / UNIT
            if product >= LEAST:
                found = (product, -performance, member, side, excess)
                highest[member.mark.account] = max(found, highest.get(member.mark.account, found))
    blocks = _usable_blocks(sheets)
    suspected = {
        account: _suspicion(member, side, excess, sheets, blocks)
        for account, (_, _, member, side, excess) in highest.items()
    }
    timed = {
        account: [(mark.at, mark.performance, distance) for mark, distance in zip(sheet, away[account], strict=True)]
        for account, sheet in sheets.items()
    }
    for account, others in agreement.agreeing(timed, scale).items():
        suspected[account] = replace(suspected.get(account, NONE), agreeing=others)
    return suspected


def reference_quarters(marks: Iterable[AccountMark]) -> dict[int, int]:
    """Return the quarters of each account for the scores from which distances are measured.

    Newcomers and accounts without an evening count as 1/4, others with fewer than two days as 1/2, so that a
    crowd of one night cannot make itself the audience that others are far from. The ranking does not use these weights.
    """
    sheets: dict[int, list[AccountMark]] = defaultdict(list)
    for mark in marks:
        sheets[mark.account].append(mark)
    return {account: _reference(days_of(sheet)) for account, sheet in sheets.items()}


def is_newcomer(sheet: Collection[AccountMark]) -> bool:
    """Whether an account marked one session only and was made within NEWCOMER days before it, or later."""
    (first, *others) = sheet
    return first.session - first.registered <= 24 * NEWCOMER and all(each.session == first.session for each in others)


def _reference(days: float) -> int:
    return 4 if days >= 2 else 2 if days > 0 else 1  # noqa: PLR2004 - days and quarters of the docstring above


def quarters_of(found: Mapping[int, Suspicion]) -> dict[int, int]:
    """Return the quarters of each account that weighs less than fully."""
    return {account: each.quarters for account, each in found.items() if each.quarters < method2.QUARTERS}


def _away(sheets: _Sheets, scores: Mapping[int, int]) -> tuple[Mapping[int, Sequence[int]], int]:
    """Return the distances m - o - c by account, in the order of its sheet, and the scale s."""
    away: dict[int, list[int]] = {}
    for account, sheet in sheets.items():
        differences = [mark.mark - scores[mark.performance] for mark in sheet]
        offset = method2.offset_of(differences)
        away[account] = [each - offset for each in differences]
    masses = Counter(abs(each) for own in away.values() for each in own)
    return away, method2.scale_of(sorted(masses.items())) if masses else 1


def _sides(sheets: _Sheets, away: Mapping[int, Sequence[int]], scale: int) -> tuple[_Sides, Counter[int]]:
    """Return the sides of the performances that have distant marks, and the number of raters by performance."""
    sides: dict[tuple[int, bool], _Side] = {}
    raters: Counter[int] = Counter()
    square = scale * scale
    for account, sheet in sheets.items():
        days = days_of(sheet)
        for mark, distance in zip(sheet, away[account], strict=True):
            raters[mark.performance] += 1
            far = min((abs(distance) / scale - NEAR) / (FAR - NEAR), 1.0)
            if far > 0:
                thinness = _thinness(mark, days)
                mass = round(far * thinness * UNIT)
                if mass:
                    pull = round(mass * (method2.FREEDOM + 1) * square / (method2.FREEDOM * square + distance**2))
                    side = sides.setdefault((mark.performance, distance > 0), _Side(distance > 0))
                    side.members.append(_Member(mark, far, thinness, mass, pull))
    return sides, raters


def days_of(sheet: Collection[AccountMark]) -> float:
    """Return the days on which an account marked: one for each with marks of the evening, a half for each other.

    There are none without an evening, and none for a newcomer.
    """
    evenings = {mark.day for mark in sheet if mark.is_of_the_evening}
    if is_newcomer(sheet):
        return 0.0
    later = {mark.day for mark in sheet if not mark.is_of_the_evening} - evenings
    return len(evenings) + len(later) / 2 if evenings else 0.0


def _thinness(mark: AccountMark, days: float) -> float:
    """Return how little else an account of so many days has in common with the audience, for one of its marks."""
    return DAYS / (DAYS + days) * (ON_THE_EVENING if mark.is_of_the_evening and days else 1.0)


def _excess(
    performance: int,
    is_above: bool,  # noqa: FBT001 - the key of a side
    sides: _Sides,
    raters: Mapping[int, int],
) -> float:
    """Return the share of a side's mass that chance does not explain."""

    def mass(number: int, above: bool) -> float:  # noqa: FBT001 - the key of a side
        return sides[number, above].mass / UNIT if (number, above) in sides else 0.0

    other = sides.get((performance, not is_above))

    shares = sorted(mass(each, up) / raters[each] for each in raters if each != performance for up in (False, True))
    usual = shares[len(shares) * 3 // 4] if shares else 0.0  # the upper quartile
    expected = max(usual * raters[performance], other.pull / UNIT if other else 0.0)
    own = mass(performance, is_above)
    return max(0.0, own - expected - SURPRISE * math.sqrt(expected + 1)) / own


def _usable_blocks(sheets: _Sheets) -> set[str]:
    accounts: dict[str, set[int]] = defaultdict(set)
    for account, sheet in sheets.items():
        for mark in sheet:
            accounts[mark.block].add(account)
    return {block for block, own in accounts.items() if block and len(own) <= CROWDED}


def _suspicion(member: _Member, side: _Side, excess: float, sheets: _Sheets, blocks: Collection[str]) -> Suspicion:
    """Return the suspicion of an account by this mark."""
    mark, mass = member.mark, member.mass
    same_hour = 0 if mark.is_of_the_evening else side.around(mark.at) - mass
    same_block = side.blocks[mark.block] - mass if mark.block in blocks else 0
    own = {each.performance: each.mark for each in sheets[mark.account] if each.performance != mark.performance}
    compared = [each for each in side.sample if each.mark.account != mark.account]
    similar = sum(each.mass for each in compared if _are_alike(own, sheets[each.mark.account]))
    total, of_sample = side.mass - mass, sum(each.mass for each in compared)
    links = (same_hour / (total or 1), same_block / (total or 1), similar / (of_sample or 1))
    score = min(mass * excess / UNIT * (1 + LINK * sum(links)), 1.0)
    return Suspicion(score, mark.performance, member.distance, member.thinness, excess, links, side.is_above)


def _are_alike(own: Mapping[int, int], other: Iterable[AccountMark]) -> bool:
    """Whether a sheet has nearly the marks of `own`, which are those of other performances than the judged one."""
    common = [abs(own[each.performance] - each.mark) for each in other if each.performance in own]
    return len(common) >= ALIKE_FROM and sum(common) <= ALIKE * method2.POINT * len(common)
