"""Crowds that act on the rule for weights itself: late breadth, one evening, decoys, and sheets near the scores.

The first five were reported by an attack on version 2. The others were written after the rule of version 3, by its
author: they are what the method's page names as still possible. Accounts register half an hour before their first mark
unless the strategy says otherwise.
"""

import numpy as np

from benchmarks.ranking_study.attacks import UP, Attack, Brigade, Strategy
from benchmarks.ranking_study.audiences import DAY, EVENING, LOWEST, Mark
from benchmarks.ranking_study.methods import version_2

CROWD, SHEETS = 100, 20  # accounts
LARGEST = 41  # marks of a sheet
RIVALS = 12  # performances above the favourite that a sheet near the scores lowers
NEAR = 2.0  # points from the published score
LIFT = 25
REPORTED: dict[str, Strategy] = {}
REMAINING: dict[str, Strategy] = {}


def _of_session(brigade: Brigade) -> list[str]:
    """Return the other performances of the favourite's session."""
    sessions = brigade.audience.sessions
    return [each for each in brigade.rivals if sessions[each] == sessions[brigade.favourite]]


def _some(brigade: Brigade, performers: list[str], count: int) -> list[str]:
    chosen = brigade.chance.choice(len(performers), min(count, len(performers)), replace=False)
    return [performers[at] for at in chosen]


def _evening_sheet(brigade: Brigade, member: str, others: list[str], *, earlier: float | None = None) -> list[Mark]:
    """Return 25 for the favourite and honest marks of others, all on their evenings.

    `earlier` is the number of days before the first mark on which the account registered.
    """
    marks = [brigade.mark(member, brigade.favourite, LIFT, at=brigade.evening(brigade.favourite))]
    marks += [brigade.honest(member, each, at=brigade.evening(each)) for each in others]
    if earlier is None:
        return marks
    registered = min(mark.at for mark in marks) - DAY * earlier
    return [mark._replace(registered=registered) for mark in marks]


def _late_sheet(brigade: Brigade, member: str, others: int, days: float) -> list[Mark]:
    """Return 25 for the favourite and honest marks of others, at any time of the days after the stage."""
    end = max(brigade.audience.starts.values()) + EVENING
    times = end + brigade.chance.uniform(0, days * DAY, others + 1)
    honest = [
        brigade.honest(member, each, at=float(at)) for each, at in zip(brigade.others(others), times[1:], strict=False)
    ]
    return [brigade.mark(member, brigade.favourite, LIFT, at=float(times[0])), *honest]


def _decoys(brigade: Brigade, count: int, value: float, others: int = 2) -> list[Mark]:
    """Return the marks of accounts that give the favourite a low mark in the brigade's night."""
    marks: list[Mark] = []
    for member in (f"d{number}" for number in range(count)):
        marks.append(brigade.mark(member, brigade.favourite, value))
        marks += [brigade.honest(member, each) for each in brigade.others(others)]
    return marks


def _near_scores(brigade: Brigade, noise: float, hours: float = 1.0) -> Attack:
    """Return sheets of LARGEST marks at most: the favourite NEAR above its score, those above it NEAR below theirs.

    The other marks are drawn evenly within `noise` of the score.
    """
    scores = version_2(brigade.audience, brigade.audience.marks)
    ahead = sorted((each for each in scores if scores[each] > scores[brigade.favourite]), key=scores.__getitem__)
    lowered = set(ahead[:RIVALS])
    rest = [each for each in scores if each != brigade.favourite and each not in lowered]
    marks: list[Mark] = []
    for member in brigade.members(SHEETS):
        at = brigade.night + brigade.chance.uniform(0, 1)
        also = _some(brigade, rest, LARGEST - 1 - len(lowered))
        sheet = {brigade.favourite: NEAR} | dict.fromkeys(lowered, -NEAR)
        sheet |= {each: float(brigade.chance.uniform(-noise, noise)) for each in also}
        for each, shift in sheet.items():
            moment = at + brigade.chance.uniform(0, 0.2) if hours <= 1 else at + brigade.chance.uniform(0, hours)
            marks.append(brigade.mark(member, each, scores[each] + shift, at=moment))
    return Attack(brigade.favourite, UP, marks)


def week(brigade: Brigade) -> Attack:
    """Make 100 accounts with six late honest marks within a week."""
    marks = [mark for member in brigade.members(CROWD) for mark in _late_sheet(brigade, member, 6, 7)]
    return Attack(brigade.favourite, UP, marks)


def evening(brigade: Brigade) -> Attack:
    """Make 100 accounts on one evening, with five marks each."""
    near = _of_session(brigade)
    marks = [
        mark for member in brigade.members(CROWD) for mark in _evening_sheet(brigade, member, _some(brigade, near, 4))
    ]
    return Attack(brigade.favourite, UP, marks)


def decoys(brigade: Brigade) -> Attack:
    """Let 40 of 100 accounts mark the favourite 1, so that 60 accounts of the evening are no excess."""
    near = _of_session(brigade)
    marks = [
        mark for member in brigade.members(60) for mark in _evening_sheet(brigade, member, _some(brigade, near, 4))
    ]
    return Attack(brigade.favourite, UP, [*marks, *_decoys(brigade, 40, LOWEST)])


def near_scores(brigade: Brigade) -> Attack:
    """Fill 20 sheets within half a point of the scores, except for the favourite and those above it."""
    return _near_scores(brigade, 0.5)


def near_scores_varied(brigade: Brigade) -> Attack:
    """Fill 20 sheets anywhere within two points of the scores, except for the favourite and those above it."""
    return _near_scores(brigade, NEAR)


REPORTED |= {
    "(a) 100 accounts, six late marks within a week": week,
    "(b) 100 accounts on one evening, five marks": evening,
    "(c) 60 accounts on one evening, 40 decoys": decoys,
    "(d) 20 sheets of 41 near the scores": near_scores,
    "(d) the same, varied by two points": near_scores_varied,
}


def registered_before(brigade: Brigade) -> Attack:
    """Register 100 accounts a week before the one evening."""
    near = _of_session(brigade)
    marks = [
        mark
        for member in brigade.members(CROWD)
        for mark in _evening_sheet(brigade, member, _some(brigade, near, 4), earlier=7)
    ]
    return Attack(brigade.favourite, UP, marks)


def two_evenings(brigade: Brigade) -> Attack:
    """Mark on two evenings with 100 accounts."""
    near = _of_session(brigade)
    far = [each for each in brigade.rivals if each not in near]
    marks = [
        mark
        for member in brigade.members(CROWD)
        for mark in _evening_sheet(brigade, member, [*_some(brigade, near, 2), *_some(brigade, far[:10], 2)])
    ]
    return Attack(brigade.favourite, UP, marks)


def all_evenings(brigade: Brigade) -> Attack:
    """Mark two performances of each evening with 25 accounts."""
    sessions = brigade.audience.sessions
    marks: list[Mark] = []
    for member in brigade.members(25):
        others: list[str] = []
        for begin in sorted(set(sessions.values())):
            others += _some(brigade, [each for each in brigade.rivals if sessions[each] == begin], 2)
        marks += _evening_sheet(brigade, member, others, earlier=7)
    return Attack(brigade.favourite, UP, marks)


def near_decoys(brigade: Brigade) -> Attack:
    """Let 40 of 100 accounts mark the favourite six points below its mean."""
    near, low = _of_session(brigade), brigade.mean(brigade.favourite) - 6
    marks = [
        mark for member in brigade.members(60) for mark in _evening_sheet(brigade, member, _some(brigade, near, 4))
    ]
    return Attack(brigade.favourite, UP, [*marks, *_decoys(brigade, 40, low)])


def near_scores_slow(brigade: Brigade) -> Attack:
    """Fill the 20 sheets near the scores over two days each."""
    return _near_scores(brigade, 0.5, hours=48.0)


def above_usual(brigade: Brigade) -> Attack:
    """Mark the favourite three points above its mean on one evening, with 100 accounts."""
    near, value = _of_session(brigade), float(np.clip(brigade.mean(brigade.favourite) + 3, LOWEST, LIFT))
    marks: list[Mark] = []
    for member in brigade.members(CROWD):
        sheet = _evening_sheet(brigade, member, _some(brigade, near, 4))
        marks += [brigade.mark(member, brigade.favourite, value, at=sheet[0].at), *sheet[1:]]
    return Attack(brigade.favourite, UP, marks)


REMAINING |= {
    "(b), registered a week before": registered_before,
    "100 accounts on two evenings": two_evenings,
    "25 accounts on all evenings": all_evenings,
    "(c), decoys six points below": near_decoys,
    "(d), each over two days": near_scores_slow,
    "100 accounts on one evening, three points above": above_usual,
}
