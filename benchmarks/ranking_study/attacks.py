"""The attack suite: strategies by which accounts that act together move one performance.

It was written before any rule for suspicious marks, so that no strategy was chosen by what such a rule finds. A
strategy returns the marks of a brigade. Its members have accounts of their own, and unless the strategy has other
times or blocks, they mark in one night three days after the last performance, each from its own address block. The
usual size is one member for each five listeners of the performance that is to be moved.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.ranking_study.audiences import CENTRE, DAY, EVENING, HIGHEST, LOWEST, PIECES, Audience, Mark, struck

UP, DOWN = 1, -1
MAJORITY = 1.5  # members for each honest rater of the performance


@dataclass(slots=True)
class Brigade:
    """A brigade's favourite, its rivals and its members."""

    audience: Audience
    chance: np.random.Generator
    share: float = 0.2  # members for each honest rater of the favourite
    favourite: str = ""
    rivals: list[str] = field(default_factory=list)  # from the nearest in true quality
    night: float = 0.0

    def __post_init__(self) -> None:
        truth = self.audience.truth
        ordered = sorted(truth, key=truth.__getitem__)
        heard = [each for each in ordered if self.audience.raters_of(each) >= 10]
        self.favourite = heard[len(heard) // 2]
        quality = truth[self.favourite]
        self.rivals = sorted((each for each in truth if each != self.favourite), key=lambda p: abs(truth[p] - quality))
        self.night = max(self.audience.starts.values()) + 3 * DAY

    @property
    def size(self) -> int:
        """Return the number of members."""
        return max(2, round(self.share * self.audience.raters_of(self.favourite)))

    def members(self, size: int | None = None) -> list[str]:
        """Return the names of the members."""
        return [f"b{number}" for number in range(size or self.size)]

    def others(self, count: int) -> list[str]:
        """Return a random choice of the other performances."""
        count = min(count, len(self.rivals))
        return [self.rivals[at] for at in self.chance.choice(len(self.rivals), count, replace=False)]

    def mark(self, member: str, performer: str, value: float, *, at: float | None = None, block: str = "") -> Mark:
        """Return a mark of this mean, in the night of the brigade unless `at` has another time."""
        points = round(min(max(value, LOWEST), HIGHEST) * PIECES)
        moment = self.night + self.chance.uniform(0, 1) if at is None else at
        return Mark(member, performer, points, PIECES, moment, block or f"own-{member}")

    def honest(self, member: str, performer: str, severity: float = 0, *, at: float | None = None) -> Mark:
        """Return the mark that an honest listener of this severity would give."""
        kind = self.audience.kind
        opinion = self.audience.truth[performer] + severity + kind.taste * self.chance.standard_normal()
        points, pieces = struck(self.chance, opinion, kind.noise)
        return self.mark(member, performer, points / pieces, at=at)

    def evening(self, performer: str) -> float:
        """Return a time on the evening of a performance."""
        return float(self.audience.starts[performer] + self.chance.uniform(0, EVENING))

    def copied(self, member: str) -> list[Mark]:
        """Return an honest listener's marks of other performances, under the member's name."""
        sheets = [
            sheet for sheet in self.audience.sheets.values() if len(sheet) > 4 or len(sheet) == len(self.audience.truth)
        ] or list(self.audience.sheets.values())
        sheet = sheets[self.chance.integers(len(sheets))]
        return [self.mark(member, each, mark.value) for each, mark in sheet.items() if each != self.favourite]

    def mean(self, performer: str) -> float:
        """Return the plain mean of the audience, which is public."""
        values = [sheet[performer].value for sheet in self.audience.sheets.values() if performer in sheet]
        return sum(values) / len(values) if values else float(CENTRE)


@dataclass(frozen=True, slots=True)
class Attack:
    """A brigade's marks, and the performance that they are to move up or down."""

    target: str
    direction: int
    marks: list[Mark]


Strategy = Callable[[Brigade], Attack]
STRATEGIES: dict[str, Strategy] = {}


def strategy(name: str) -> Callable[[Strategy], Strategy]:
    """Register a strategy of the suite."""

    def register(function: Strategy) -> Strategy:
        STRATEGIES[name] = function
        return function

    return register


def lifting(brigade: Brigade, value: float, others: Callable[[str], list[Mark]], size: int | None = None) -> Attack:
    """Return an attack: members give the favourite this mark, and other performances the marks of `others`."""
    marks = []
    for member in brigade.members(size):
        marks += [brigade.mark(member, brigade.favourite, value), *others(member)]
    return Attack(brigade.favourite, UP, marks)


def fair(brigade: Brigade, count: int) -> Callable[[str], list[Mark]]:
    """Return a function of honest marks for `count` other performances."""
    return lambda member: [brigade.honest(member, each) for each in brigade.others(count)]


@strategy("25, one performance")
def one_performance(brigade: Brigade) -> Attack:
    """Mark the favourite alone."""
    return lifting(brigade, 25, lambda _: [])


@strategy("25, two random others")
def three_performances(brigade: Brigade) -> Attack:
    """Reach three performances with the least effort."""
    return lifting(
        brigade,
        25,
        lambda m: [brigade.mark(m, each, brigade.chance.choice([10, 17, 22])) for each in brigade.others(2)],
    )


@strategy("25, four honest others")
def four_honest(brigade: Brigade) -> Attack:
    """Mark four other performances as honest listeners do."""
    return lifting(brigade, 25, fair(brigade, 4))


@strategy("25, nine honest others")
def nine_honest(brigade: Brigade) -> Attack:
    """Mark nine other performances as honest listeners do."""
    return lifting(brigade, 25, fair(brigade, 9))


@strategy("25, copied sheets")
def copied_sheets(brigade: Brigade) -> Attack:
    """Copy an honest listener's marks of all other performances."""
    return lifting(brigade, 25, brigade.copied)


@strategy("25, copied sheets with noise")
def copied_noise(brigade: Brigade) -> Attack:
    """Copy a sheet and move each mark by up to a point, so that no two sheets are equal."""
    return lifting(
        brigade,
        25,
        lambda m: [
            brigade.mark(m, each.performer, each.value + brigade.chance.uniform(-1, 1)) for each in brigade.copied(m)
        ],
    )


@strategy("25, others at the public mean")
def public_means(brigade: Brigade) -> Attack:
    """Give all others exactly what the audience gave."""
    return lifting(brigade, 25, lambda m: [brigade.mark(m, each, brigade.mean(each)) for each in brigade.others(9)])


@strategy("20 in place of 25")
def twenty(brigade: Brigade) -> Attack:
    """Stay below the outer fifth of the scale."""
    return lifting(brigade, 20.75, fair(brigade, 4))


@strategy("23, four honest others")
def twenty_three(brigade: Brigade) -> Attack:
    """Exaggerate a little less."""
    return lifting(brigade, 23, fair(brigade, 4))


@strategy("+4 only")
def plus_four(brigade: Brigade) -> Attack:
    """Mark honestly, with 4 points more for the favourite."""
    quality = brigade.audience.truth[brigade.favourite]
    marks = []
    for member in brigade.members():
        value = quality + 4 + brigade.audience.kind.taste * brigade.chance.standard_normal()
        marks += [brigade.mark(member, brigade.favourite, value), *fair(brigade, 8)(member)]
    return Attack(brigade.favourite, UP, marks)


@strategy("two points above the mean")
def just_inside(brigade: Brigade) -> Attack:
    """Stay where weights are still high: two deviations above the public mean."""
    value = brigade.mean(brigade.favourite) + 2 * brigade.audience.kind.taste
    return lifting(brigade, value, fair(brigade, 6))


@strategy("25, nine rivals at 1 to 3")
def rivals_down(brigade: Brigade) -> Attack:
    """Lift the favourite by sinking nine random others."""
    return lifting(
        brigade,
        25,
        lambda m: [brigade.mark(m, each, 1 + 2 * brigade.chance.random()) for each in brigade.others(9)],
    )


@strategy("25, five nearest rivals 6 lower")
def nearest_down(brigade: Brigade) -> Attack:
    """Lower the nearest rivals by a believable amount, and mark four others honestly."""

    def others(member: str) -> list[Mark]:
        near, far = brigade.rivals[:5], brigade.rivals[5:9]
        lowered = [brigade.mark(member, each, brigade.audience.truth[each] - 6) for each in near]
        return lowered + [brigade.honest(member, each) for each in far]

    return lifting(brigade, 25, others)


@strategy("25, all others at 1")
def all_down(brigade: Brigade) -> Attack:
    """Use both ends of the scale only."""
    return lifting(brigade, 25, lambda m: [brigade.mark(m, each, 1) for each in brigade.rivals])


@strategy("25, all others at 12")
def uniform_others(brigade: Brigade) -> Attack:
    """Give every other performance one middling mark."""
    return lifting(brigade, 25, lambda m: [brigade.mark(m, each, 12) for each in brigade.others(12)])


@strategy("one rival at 1, honest others")
def one_rival_down(brigade: Brigade) -> Attack:
    """Sink one performance."""
    attack = lifting(brigade, 1, fair(brigade, 6))
    return Attack(attack.target, DOWN, attack.marks)


@strategy("one rival at 1, copied sheets")
def one_rival_copied(brigade: Brigade) -> Attack:
    """Sink one performance with copied sheets."""
    attack = lifting(brigade, 1, brigade.copied)
    return Attack(attack.target, DOWN, attack.marks)


@strategy("half lift, half sink a rival")
def two_sided(brigade: Brigade) -> Attack:
    """Split the members: one half lifts the favourite, one half sinks its nearest rivals."""
    marks = []
    for number, member in enumerate(brigade.members()):
        if number % 2:
            marks += [brigade.mark(member, brigade.favourite, 25), *fair(brigade, 5)(member)]
        else:
            marks += [brigade.mark(member, each, 5) for each in brigade.rivals[:2]]
            marks += [brigade.honest(member, each) for each in brigade.rivals[2:7]]
    return Attack(brigade.favourite, UP, marks)


@strategy("severe sheet, favourite as usual")
def severe_sheet(brigade: Brigade) -> Attack:
    """Use the offset: mark all others 6 lower, and the favourite as if severe listeners adored it."""
    return lifting(
        brigade,
        brigade.audience.truth[brigade.favourite] + 2,
        lambda m: [brigade.honest(m, each, -6) for each in brigade.others(8)],
    )


@strategy("narrow sheet, favourite above")
def narrow_sheet(brigade: Brigade) -> Attack:
    """Use a correction of ranges: all others between 16.75 and 17.25, the favourite at 19."""
    return lifting(
        brigade,
        19,
        lambda m: [brigade.mark(m, each, 17 + brigade.chance.choice([-0.25, 0, 0.25])) for each in brigade.others(8)],
    )


@strategy("25, spread over two days")
def spread_hours(brigade: Brigade) -> Attack:
    """Spread the members over 48 hours, each in one sitting."""
    marks = []
    for member in brigade.members():
        at = brigade.night + brigade.chance.uniform(0, 48)
        marks.append(brigade.mark(member, brigade.favourite, 25, at=at))
        marks += [brigade.honest(member, each, at=at + 0.1) for each in brigade.others(5)]
    return Attack(brigade.favourite, UP, marks)


@strategy("25, on the evening itself")
def on_the_evening(brigade: Brigade) -> Attack:
    """Mark everything on its own evening, so that no mark is late."""
    marks = []
    for member in brigade.members():
        marks.append(brigade.mark(member, brigade.favourite, 25, at=brigade.evening(brigade.favourite)))
        marks += [brigade.honest(member, each, at=brigade.evening(each)) for each in brigade.others(6)]
    return Attack(brigade.favourite, UP, marks)


@strategy("+8 after honest evenings")
def sleepers(brigade: Brigade) -> Attack:
    """Mark half of the stage honestly over days, and only the favourite 8 higher."""
    marks = []
    count = len(brigade.rivals) // 2
    for member in brigade.members():
        value = brigade.audience.truth[brigade.favourite] + 8
        marks.append(brigade.mark(member, brigade.favourite, value, at=brigade.evening(brigade.favourite)))
        marks += [brigade.honest(member, each, at=brigade.evening(each)) for each in brigade.others(count)]
    return Attack(brigade.favourite, UP, marks)


@strategy("25, one address block")
def one_block(brigade: Brigade) -> Attack:
    """Mark from one network."""
    marks = [mark._replace(block="brigade") for member in brigade.members() for mark in fair(brigade, 4)(member)] + [
        brigade.mark(member, brigade.favourite, 25, block="brigade") for member in brigade.members()
    ]
    return Attack(brigade.favourite, UP, marks)


@strategy("21 to 25 at random, four honest")
def varied(brigade: Brigade) -> Attack:
    """Vary the favourite's marks, so that no two are alike."""
    marks = []
    for member in brigade.members():
        marks += [
            brigade.mark(member, brigade.favourite, brigade.chance.uniform(21, 25)),
            *fair(brigade, 4)(member),
        ]
    return Attack(brigade.favourite, UP, marks)


@strategy("30 accounts, six performances")
def thirty(brigade: Brigade) -> Attack:
    """Bring 30 accounts to an audience of any size."""
    return lifting(brigade, 25, fair(brigade, 5), size=30)


@strategy("100 accounts in ten minutes, five performances")
def hundred_five(brigade: Brigade) -> Attack:
    """Bring 100 accounts that version 1 catches."""
    return _hundred(brigade, 4)


@strategy("100 accounts in ten minutes, six performances")
def hundred_six(brigade: Brigade) -> Attack:
    """Bring 100 accounts that version 1 does not catch."""
    return _hundred(brigade, 5)


def _hundred(brigade: Brigade, others: int) -> Attack:
    at = brigade.night
    attack = lifting(brigade, 25, fair(brigade, others), size=100)
    marks = [mark._replace(at=at + brigade.chance.uniform(0, 1 / 6)) for mark in attack.marks]
    return Attack(attack.target, UP, marks)


@strategy("25 for four performances")
def four_favourites(brigade: Brigade) -> Attack:
    """Lift three others as well, so that the favourite is not alone."""
    marked = brigade.others(6)
    also, usual = marked[:3], marked[3:]

    def others(member: str) -> list[Mark]:
        return [brigade.mark(member, each, 25) for each in also] + [brigade.honest(member, each) for each in usual]

    return lifting(brigade, 25, others)


@strategy("a majority, four honest others")
def majority(brigade: Brigade) -> Attack:
    """Be more than the honest raters of the favourite: no method can tell them from the audience."""
    brigade.share = MAJORITY
    return lifting(brigade, 25, fair(brigade, 4))
