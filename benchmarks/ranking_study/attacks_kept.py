"""Strategies that were kept aside: written after the rule for suspicious marks was fixed, to judge it."""

from benchmarks.ranking_study.attacks import DOWN, UP, Attack, Brigade, Strategy, fair, lifting
from benchmarks.ranking_study.audiences import DAY, Mark


def changed_at_night(brigade: Brigade) -> Attack:
    """Mark six others on their evenings, and only the favourite in the night of the brigade."""
    marks = []
    for member in brigade.members():
        marks.append(brigade.mark(member, brigade.favourite, 25))
        marks += [brigade.honest(member, each, at=brigade.evening(each)) for each in brigade.others(6)]
    return Attack(brigade.favourite, UP, marks)


def trickle(brigade: Brigade) -> Attack:
    """Bring one account a day."""
    marks = []
    for number, member in enumerate(brigade.members()):
        at = brigade.night + number * DAY
        marks.append(brigade.mark(member, brigade.favourite, 25, at=at))
        marks += [brigade.honest(member, each, at=at + 0.2) for each in brigade.others(4)]
    return Attack(brigade.favourite, UP, marks)


def one_evening(brigade: Brigade) -> Attack:
    """Mark the performances of one day only, on their evenings."""
    day = brigade.audience.starts[brigade.favourite] // DAY
    near = [each for each in brigade.rivals if brigade.audience.starts[each] // DAY == day][:5]
    marks = []
    for member in brigade.members():
        marks.append(brigade.mark(member, brigade.favourite, 25, at=brigade.evening(brigade.favourite)))
        marks += [brigade.honest(member, each, at=brigade.evening(each)) for each in near]
    return Attack(brigade.favourite, UP, marks)


def halo(brigade: Brigade) -> Attack:
    """Give the favourite 5 points more, and four others 2 points more."""
    value = brigade.audience.truth[brigade.favourite] + 5

    def others(member: str) -> list[Mark]:
        return [brigade.honest(member, each, 2) for each in brigade.others(4)]

    return lifting(brigade, value, others)


def two_favourites(brigade: Brigade) -> Attack:
    """Be two groups with a favourite each, who mark the other's favourite honestly."""
    second = brigade.rivals[0]
    marks = []
    for number, member in enumerate(brigade.members()):
        own, other = (second, brigade.favourite) if number % 2 else (brigade.favourite, second)
        marks += [brigade.mark(member, own, 25), brigade.honest(member, other), *fair(brigade, 3)(member)]
    return Attack(brigade.favourite, UP, list({(m.rater, m.performer): m for m in marks}.values()))


def low_five(brigade: Brigade) -> Attack:
    """Sink a performance by a mark of 8, which some honest listeners might give."""
    attack = lifting(brigade, 8, fair(brigade, 6))
    return Attack(attack.target, DOWN, attack.marks)


def decoy(brigade: Brigade) -> Attack:
    """Sink the favourite openly, so that honest listeners with low marks weigh less, too."""
    attack = lifting(brigade, 1, fair(brigade, 3))
    return Attack(attack.target, UP, attack.marks)


KEPT: dict[str, Strategy] = {
    "favourite changed at night": changed_at_night,
    "one account a day": trickle,
    "one evening only": one_evening,
    "+5, and +2 for others": halo,
    "two groups, two favourites": two_favourites,
    "one rival at 8": low_five,
    "1 as a decoy": decoy,
}
