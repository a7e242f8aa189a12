"""The attack suite from outside: strategies of the published literature and of known vote brigades.

They were chosen and written without knowledge of the rule for suspicious accounts, from publications on profile
injection into recommender systems and on reputation systems, and from reported brigades. No parameter was changed
after a result was seen. The usual size, time and address blocks are those of `attacks`; a target is marked 25 where a
publication has the highest rating, and 1 where it has the lowest.
"""

from collections.abc import Callable, Iterable

import numpy as np

from benchmarks.ranking_study.attacks import DOWN, UP, Attack, Brigade, Strategy, lifting
from benchmarks.ranking_study.audiences import CENTRE, DAY, HIGHEST, LOWEST, Mark

FILLERS = 8  # other performances on the sheet of a member
SELECTED = 3  # performances that an attack model selects for their own reason
POPULAR = 0.3  # share of the performances that are popular: those with the most raters
BOMBERS = 0.5  # members of a review bombing for each honest rater
OUTSIDE: dict[str, Strategy] = {}

Others = Callable[[str], list[Mark]]


def outside(name: str) -> Callable[[Strategy], Strategy]:
    """Register a strategy of this suite."""

    def register(function: Strategy) -> Strategy:
        OUTSIDE[name] = function
        return function

    return register


def sinking(brigade: Brigade, others: Others) -> Attack:
    """Return an attack: members give the target the lowest mark, and other performances the marks of `others`."""
    return Attack(brigade.favourite, DOWN, lifting(brigade, LOWEST, others).marks)


def values(brigade: Brigade, performer: str) -> list[float]:
    """Return the audience's marks of a performance, or the middle of the scale if there are none."""
    sheets = brigade.audience.sheets.values()
    return [sheet[performer].value for sheet in sheets if performer in sheet] or [float(CENTRE)]


def about_system(brigade: Brigade, member: str, performers: Iterable[str]) -> list[Mark]:
    """Return marks drawn about the mean of all marks, with their standard deviation."""
    everything = [mark.value for mark in brigade.audience.marks]
    centre, spread = float(np.mean(everything)), float(np.std(everything))
    return [brigade.mark(member, each, brigade.chance.normal(centre, spread)) for each in performers]


def about_items(
    brigade: Brigade, member: str, performers: Iterable[str], *, shift: float = 0, at: float | None = None
) -> list[Mark]:
    """Return marks drawn about the mean of each performance, with its standard deviation."""
    marks = []
    for each in performers:
        known = values(brigade, each)
        value = brigade.chance.normal(np.mean(known), np.std(known)) + shift
        marks.append(brigade.mark(member, each, value, at=at))
    return marks


def popular(brigade: Brigade, count: int) -> list[str]:
    """Return the other performances with the most raters."""
    return sorted(brigade.rivals, key=brigade.audience.raters_of, reverse=True)[:count]


def most_popular(brigade: Brigade) -> list[str]:
    """Return the popular share of the other performances."""
    return popular(brigade, max(FILLERS, round(POPULAR * len(brigade.rivals))))


def some(brigade: Brigade, performers: list[str], count: int) -> list[str]:
    """Return a random choice of these performances."""
    chosen = brigade.chance.choice(len(performers), min(count, len(performers)), replace=False)
    return [performers[at] for at in chosen]


def random_fillers(brigade: Brigade) -> Others:
    """Return a function of fillers about the mean of all marks."""
    return lambda m: about_system(brigade, m, brigade.others(FILLERS))


def average_fillers(brigade: Brigade) -> Others:
    """Return a function of fillers about their own means."""
    return lambda m: about_items(brigade, m, brigade.others(FILLERS))


def popular_fillers(brigade: Brigade) -> Others:
    """Return a function of popular fillers about their own means."""
    pool = most_popular(brigade)
    return lambda m: about_items(brigade, m, some(brigade, pool, FILLERS))


def bandwagon_fillers(brigade: Brigade) -> Others:
    """Return a function of 25 for the most popular performances and of random fillers."""
    selected = popular(brigade, SELECTED)
    rest = [each for each in brigade.rivals if each not in selected]

    def others(member: str) -> list[Mark]:
        tops = [brigade.mark(member, each, HIGHEST) for each in selected]
        return tops + about_system(brigade, member, some(brigade, rest, FILLERS - SELECTED))

    return others


@outside("random attack")
def random_attack(brigade: Brigade) -> Attack:
    """Fill the sheet about the mean of all marks (Lam and Riedl 2004, RandomBot)."""
    return lifting(brigade, HIGHEST, random_fillers(brigade))


@outside("average attack")
def average_attack(brigade: Brigade) -> Attack:
    """Fill the sheet about each performance's mean (Lam and Riedl 2004, AverageBot)."""
    return lifting(brigade, HIGHEST, average_fillers(brigade))


@outside("average attack, down")
def average_down(brigade: Brigade) -> Attack:
    """Sink the target with the sheet of the average attack (Lam and Riedl 2004, nuke)."""
    return sinking(brigade, average_fillers(brigade))


@outside("bandwagon")
def bandwagon(brigade: Brigade) -> Attack:
    """Mark the most popular performances 25 too (Burke, Mobasher, Zabicki and Bhaumik 2005)."""
    return lifting(brigade, HIGHEST, bandwagon_fillers(brigade))


@outside("segment")
def segment(brigade: Brigade) -> Attack:
    """Mark those most like the target 25 and all fillers 1 (Mobasher, Burke, Bhaumik and Williams 2005)."""
    alike, rest = brigade.rivals[:SELECTED], brigade.rivals[SELECTED:]

    def others(member: str) -> list[Mark]:
        tops = [brigade.mark(member, each, HIGHEST) for each in alike]
        return tops + [brigade.mark(member, each, LOWEST) for each in some(brigade, rest, FILLERS - SELECTED)]

    return lifting(brigade, HIGHEST, others)


@outside("love/hate, down")
def love_hate(brigade: Brigade) -> Attack:
    """Mark the target 1 and all fillers 25 (Mobasher, Burke, Bhaumik and Williams 2007)."""
    return sinking(brigade, lambda m: [brigade.mark(m, each, HIGHEST) for each in brigade.others(FILLERS)])


@outside("reverse bandwagon, down")
def reverse_bandwagon(brigade: Brigade) -> Attack:
    """Mark those that many raters mark low 1 too (Mobasher, Burke, Bhaumik and Williams 2007)."""
    selected = sorted(most_popular(brigade), key=brigade.mean)[:SELECTED]
    rest = [each for each in brigade.rivals if each not in selected]

    def others(member: str) -> list[Mark]:
        lows = [brigade.mark(member, each, LOWEST) for each in selected]
        return lows + about_system(brigade, member, some(brigade, rest, FILLERS - SELECTED))

    return sinking(brigade, others)


@outside("probe")
def probe(brigade: Brigade) -> Attack:
    """Seed a sheet with real opinions and extend it by what the system shows (O'Mahony, Hurley, Silvestre 2005)."""

    def others(member: str) -> list[Mark]:
        chosen = brigade.others(FILLERS)
        seeds = [brigade.honest(member, each) for each in chosen[:SELECTED]]
        own = float(np.mean([mark.value - brigade.mean(mark.performer) for mark in seeds]))
        return seeds + [brigade.mark(member, each, brigade.mean(each) + own) for each in chosen[SELECTED:]]

    return lifting(brigade, HIGHEST, others)


@outside("average over popular")
def average_over_popular(brigade: Brigade) -> Attack:
    """Choose the average attack's fillers among the popular (Hurley, Cheng and Zhang 2009)."""
    return lifting(brigade, HIGHEST, popular_fillers(brigade))


@outside("copied power users")
def power_users(brigade: Brigade) -> Attack:
    """Copy the raters with the most marks, one for each member (Wilson and Seminario 2013)."""
    sheets = sorted(brigade.audience.sheets.values(), key=len, reverse=True)
    sheet_of = dict(zip(brigade.members(), sheets, strict=False))
    return lifting(
        brigade,
        HIGHEST,
        lambda m: [brigade.mark(m, p, mark.value) for p, mark in sheet_of[m].items() if p != brigade.favourite],
    )


@outside("power items, five targets, down")
def power_items(brigade: Brigade) -> Attack:
    """Sink five targets with the most rated performances as fillers (Seminario and Wilson 2016)."""
    power = popular(brigade, FILLERS)
    also = some(brigade, [each for each in brigade.rivals if each not in power], 4)
    return sinking(
        brigade,
        lambda m: [brigade.mark(m, each, LOWEST) for each in also] + about_items(brigade, m, power),
    )


@outside("noise injection")
def noise_injection(brigade: Brigade) -> Attack:
    """Add noise to the sheet of the average attack (Williams, Mobasher, Burke, Sandvig and Bhaumik 2006)."""
    average = average_fillers(brigade)
    return lifting(
        brigade,
        HIGHEST,
        lambda m: [brigade.mark(m, each.performer, each.value + 2 * brigade.chance.normal()) for each in average(m)],
    )


@outside("user shifting")
def user_shifting(brigade: Brigade) -> Attack:
    """Shift a part of each member's fillers by an amount of the member's own (Williams and others 2006)."""

    def others(member: str) -> list[Mark]:
        chosen, shift = brigade.others(FILLERS), brigade.chance.normal(0, 3)
        half = len(chosen) // 2
        return about_items(brigade, member, chosen[:half], shift=shift) + about_items(brigade, member, chosen[half:])

    return lifting(brigade, HIGHEST, others)


@outside("target shifting")
def target_shifting(brigade: Brigade) -> Attack:
    """Mark the target one of five steps below the top (Williams and others 2006)."""
    return lifting(brigade, 20, average_fillers(brigade))


@outside("group, no common filler")
def group_strict(brigade: Brigade) -> Attack:
    """Give each filler to one member only (Wang, Wu, Bu and Cao 2016, GSAGen strict)."""
    return _group(brigade, 1)


@outside("group, fillers of two members")
def group_loose(brigade: Brigade) -> Attack:
    """Give each filler to at most two members (Wang, Wu, Bu and Cao 2016, GSAGen loose)."""
    return _group(brigade, 2)


def _group(brigade: Brigade, common: int) -> Attack:
    rounds = [brigade.others(len(brigade.rivals)) for _ in range(common)]
    share = {
        member: sorted({each for pool in rounds for each in pool[number :: brigade.size]})
        for number, member in enumerate(brigade.members())
    }
    return lifting(brigade, HIGHEST, lambda m: about_items(brigade, m, share[m]))


@outside("generated from co-rated sheets")
def goat(brigade: Brigade) -> Attack:
    """Smooth a real rater's sheet with others' marks and mark the target 24 (Wu and others 2021, GOAT)."""

    def others(member: str) -> list[Mark]:
        return [
            brigade.mark(
                member, each.performer, (each.value + brigade.chance.choice(values(brigade, each.performer))) / 2
            )
            for each in brigade.copied(member)
        ]

    return lifting(brigade, HIGHEST - 1, others)


@outside("mixed")
def mixed(brigade: Brigade) -> Attack:
    """Give the members different attack models by turns (Cheng and Hurley 2009, diverse attacks)."""
    models = (
        random_fillers(brigade),
        average_fillers(brigade),
        bandwagon_fillers(brigade),
        popular_fillers(brigade),
        brigade.copied,
    )
    model_of = {member: models[number % len(models)] for number, member in enumerate(brigade.members())}
    return lifting(brigade, HIGHEST, lambda m: model_of[m](m))


@outside("unorganised")
def unorganised(brigade: Brigade) -> Attack:
    """Let five small groups lift a target each, by different models (Pang, Gao, Tao and Zhou 2018)."""
    targets = [brigade.favourite, *brigade.others(4)]
    models = (average_fillers(brigade), random_fillers(brigade), bandwagon_fillers(brigade))
    marks: list[Mark] = []
    for number, member in enumerate(brigade.members(len(targets) * max(2, brigade.size // 2))):
        target, model = targets[number % len(targets)], models[number % len(models)]
        marks.append(brigade.mark(member, target, HIGHEST))
        marks += [mark for mark in model(member) if mark.performer != target]
    return Attack(brigade.favourite, UP, marks)


@outside("reputation trap")
def reputation_trap(brigade: Brigade) -> Attack:
    """Agree first on performances with few raters, where members are the majority (Yang, Feng, Sun, Dai 2008)."""
    traps = sorted(brigade.rivals, key=brigade.audience.raters_of)[:SELECTED]
    rest = [each for each in brigade.rivals if each not in traps]

    def others(member: str) -> list[Mark]:
        caught = [brigade.mark(member, each, brigade.mean(each) + 6 + brigade.chance.uniform(-1, 1)) for each in traps]
        return caught + [brigade.honest(member, each) for each in some(brigade, rest, SELECTED)]

    return lifting(brigade, HIGHEST, others)


@outside("medium bias, large variance")
def medium_bias(brigade: Brigade) -> Attack:
    """Mark about 5 above the mean with much variance, over a week (Feng, Yang, Sun and Dai 2008)."""
    marks: list[Mark] = []
    end = brigade.night - 3 * DAY
    for member in brigade.members():
        at, value = (
            end + brigade.chance.uniform(6, 7 * DAY),
            brigade.chance.normal(brigade.mean(brigade.favourite) + 5, 3),
        )
        marks.append(brigade.mark(member, brigade.favourite, value, at=at))
        marks += about_items(brigade, member, brigade.others(FILLERS), at=at + 0.2)
    return Attack(brigade.favourite, UP, marks)


@outside("few addresses")
def few_addresses(brigade: Brigade) -> Attack:
    """Run all accounts behind three address blocks, with the shortest sheets (Douceur 2002, the Sybil attack)."""
    attack = lifting(brigade, HIGHEST, lambda m: about_system(brigade, m, brigade.others(2)))
    block_of = {member: f"farm{number % 3}" for number, member in enumerate(brigade.members())}
    return Attack(attack.target, UP, [mark._replace(block=block_of[mark.rater]) for mark in attack.marks])


@outside("review bombing, down")
def review_bombing(brigade: Brigade) -> Attack:
    """Mark the target alone, 1, from many new accounts in one hour (IMDb: Gunday 2014, Zaferin Rengi 2024)."""
    brigade.share = BOMBERS
    return sinking(brigade, lambda _: [])


@outside("recruited listeners")
def recruited(brigade: Brigade) -> Attack:
    """Call on real raters who have not marked the favourite to mark it 25 (Wikipedia: meatpuppets, vote stacking)."""
    sheets = brigade.audience.sheets
    free = some(brigade, [rater for rater, sheet in sheets.items() if brigade.favourite not in sheet], brigade.size)
    blocks = {rater: next(iter(sheets[rater].values())).block for rater in free}
    marks = [brigade.mark(rater, brigade.favourite, HIGHEST, block=blocks[rater]) for rater in free]
    return Attack(brigade.favourite, UP, marks)


@outside("aged accounts")
def aged_accounts(brigade: Brigade) -> Attack:
    """Mark twelve others honestly on their evenings, then lift in one hour (Wikipedia and Reddit: sleepers)."""
    return lifting(
        brigade,
        HIGHEST,
        lambda m: [brigade.honest(m, each, at=brigade.evening(each)) for each in brigade.others(12)],
    )


@outside("drip over days")
def drip(brigade: Brigade) -> Attack:
    """Bring one account each eight hours from the end of the stage (vote sellers' drip feed)."""
    marks: list[Mark] = []
    end = brigade.night - 3 * DAY
    for number, member in enumerate(brigade.members()):
        at = end + 6 + 8 * number + brigade.chance.uniform(0, 4)
        marks.append(brigade.mark(member, brigade.favourite, HIGHEST, at=at))
        marks += about_items(brigade, member, brigade.others(FILLERS), at=at + brigade.chance.uniform(0, 0.5))
    return Attack(brigade.favourite, UP, marks)


@outside("link on a forum")
def forum_link(brigade: Brigade) -> Attack:
    """Follow a link within hours of the performance, many by telephone, and mark two more (Reddit brigades)."""
    marks: list[Mark] = []
    for member in brigade.members():
        at = brigade.audience.starts[brigade.favourite] + 1 + brigade.chance.exponential(3)
        block = "carrier" if brigade.chance.random() < 0.4 else ""
        marks.append(brigade.mark(member, brigade.favourite, brigade.chance.uniform(22, 25), at=at, block=block))
        for each in brigade.others(2):
            mark = brigade.honest(member, each, at=max(at + 0.1, brigade.evening(each)))
            marks.append(mark._replace(block=block or mark.block))
    return Attack(brigade.favourite, UP, marks)


@outside("bloc of six")
def bloc(brigade: Brigade) -> Attack:
    """Belong to one of six performances each and give the five others 21 to 25 (Eurovision 2022, six juries)."""
    six = [brigade.favourite, *brigade.others(5)]
    rest = [each for each in brigade.rivals if each not in six]
    marks: list[Mark] = []
    for number, member in enumerate(brigade.members()):
        friends = some(brigade, [each for at, each in enumerate(six) if at != number % 6], 5)
        marks += [brigade.mark(member, each, HIGHEST - place) for place, each in enumerate(friends)]
        marks += [brigade.honest(member, each) for each in some(brigade, rest, 5)]
    return Attack(brigade.favourite, UP, marks)


@outside("rotating favourites")
def rotating(brigade: Brigade) -> Attack:
    """Lift two of three favourites and mark the third honestly, by turns (Hoffman and others 2009, orchestrated)."""
    three = [brigade.favourite, *brigade.others(2)]
    rest = [each for each in brigade.rivals if each not in three]
    marks: list[Mark] = []
    for number, member in enumerate(brigade.members()):
        for at, each in enumerate(three):
            mark = brigade.honest(member, each) if at == number % 3 else brigade.mark(member, each, 24)
            marks.append(mark._replace(at=brigade.evening(each)))
        marks += [brigade.honest(member, each, at=brigade.evening(each)) for each in some(brigade, rest, 6)]
    return Attack(brigade.favourite, UP, marks)


@outside("judges of one nation")
def nation(brigade: Brigade) -> Attack:
    """Add 3 for the favourite and take 2 from its four nearest rivals, on the evenings (Zitzewitz 2006, skating)."""
    bias = {brigade.favourite: 3, **dict.fromkeys(brigade.rivals[:4], -2)}
    marks: list[Mark] = []
    for member in brigade.members():
        sheet = [*bias, *some(brigade, brigade.rivals[4:], 5)]
        marks += [brigade.honest(member, each, bias.get(each, 0), at=brigade.evening(each)) for each in sheet]
    return Attack(brigade.favourite, UP, marks)


@outside("burying")
def burying(brigade: Brigade) -> Attack:
    """Give the favourite an honest sheet's highest mark and two rivals its lowest (strategic voting under Borda)."""
    near = brigade.rivals[:2]
    marks: list[Mark] = []
    for member in brigade.members():
        chosen = [brigade.favourite, *near, *some(brigade, brigade.rivals[2:], FILLERS)]
        sheet = {each: brigade.honest(member, each) for each in chosen}
        ordered = sorted(mark.value for mark in sheet.values())
        sheet[brigade.favourite] = brigade.mark(member, brigade.favourite, ordered[-1])
        sheet.update({each: brigade.mark(member, each, ordered[place]) for place, each in enumerate(near)})
        marks += sheet.values()
    return Attack(brigade.favourite, UP, marks)
