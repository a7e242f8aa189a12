"""Test which accounts weigh less: joint, distant marks of accounts with little else in common with the audience."""

import random

import pytest

from apps.ranking.suspicion import AccountMark, Suspicion, quarters_of, reference_quarters, suspicions

POINT, PERFORMANCES, LISTENERS, DAYS = 10_000, 12, 60, 3
NIGHT = 24.0 * (DAYS + 3)
SCORES = dict.fromkeys(range(PERFORMANCES), 17 * POINT)


def evening_of(performance):
    return 24.0 * (performance % DAYS) + 19


def audience(seed=1, late=0.3):
    """Return the marks of honest listeners, some of them late."""
    chance = random.Random(seed)  # noqa: S311 - test data
    marks = []
    for account in range(LISTENERS):
        for performance in chance.sample(range(PERFORMANCES), chance.randint(3, PERFORMANCES)):
            is_late = chance.random() < late
            at = evening_of(performance) + (chance.uniform(8, 100) if is_late else chance.uniform(0, 3))
            marks.append(AccountMark(account, performance, points(chance.gauss(17, 2)), at, not is_late))
    return marks


def points(value):
    return round(min(25, max(1, value)) * POINT)


def brigade(size, *, mark=25, others=4, first=1_000, at=NIGHT, block=""):
    """Return the marks of accounts that give performance 0 the same mark in one night."""
    chance = random.Random(size)  # noqa: S311 - test data
    marks = []
    for account in range(first, first + size):
        marks.append(AccountMark(account, 0, points(mark), at + chance.random(), False, block))
        marks += [
            AccountMark(account, performance, points(chance.gauss(17, 2)), at + chance.random(), False, block)
            for performance in chance.sample(range(1, PERFORMANCES), others)
        ]
    return marks


def test_honest_listeners_weigh_fully():
    assert [seed for seed in range(10) if quarters_of(suspicions(audience(seed), SCORES))] == []


@pytest.mark.parametrize("mark", [25, 23, 6, 1])
def test_brigade_weighs_a_quarter_and_few_honest_listeners_a_half(mark):
    lowered = quarters_of(suspicions(audience() + brigade(12, mark=mark), SCORES))
    honest = {account: quarters for account, quarters in lowered.items() if account < 1_000}
    assert lowered.items() - honest.items() == dict.fromkeys(range(1_000, 1_012), 1).items()
    assert len(honest) <= LISTENERS // 30
    assert set(honest.values()) <= {2}


def test_one_distant_mark_is_no_brigade():
    assert quarters_of(suspicions(audience() + brigade(1), SCORES)) == {}


def test_near_marks_are_no_brigade():
    assert quarters_of(suspicions(audience() + brigade(12, mark=18), SCORES)) == {}


def test_weight_is_a_quarter_at_least():
    for score in (0.0, 0.19, 0.2, 0.49, 0.5, 1.0):
        expected = 4 if score < 0.2 else 2 if score < 0.5 else 1
        assert Suspicion(score, 0, 1, 1, 1, (0, 0, 0)).quarters == expected


def test_honest_breadth_over_days_lowers_a_score():
    """The same late marks of performance 0 weigh more with each evening on which the account marked others."""
    scores = []
    for days in range(DAYS + 1):
        marks = audience() + brigade(30, others=1)
        for account in range(1_000, 1_030):
            marks += [
                AccountMark(account, performance, points(17), evening_of(performance) + 1, True)
                for performance in range(3, 3 + days)
            ]
        scores.append(suspicions(marks, SCORES)[1_003].score)
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == DAYS + 1


def test_newcomer_of_one_session_is_as_thin_as_a_late_account():
    """The session of performances 0, 3, 6 and 9 begins at hour 18."""

    def thinness(registered, others):
        evening = [
            AccountMark(account, number, points(25 if not number else 17), evening_of(number) + 1, True, "")._replace(
                session=evening_of(number) - 1, registered=registered
            )
            for account in range(1_000, 1_016)
            for number in (0, *others)
        ]
        return suspicions(audience() + evening, SCORES)[1_003].thinness

    assert thinness(18 - 71, (3, 6)) == 1
    assert thinness(18 - 73, (3, 6)) == 0.5
    assert thinness(18 - 71, (3, 4)) == pytest.approx(0.375)


def test_decoys_far_on_the_other_side_cancel_little():
    crowd = brigade(16)
    alone = suspicions(audience() + crowd, SCORES)[1_003]
    decoys = brigade(12, mark=1, first=2_000)
    assert suspicions(audience() + crowd + decoys, SCORES)[1_003].excess > 0.7 * alone.excess


def test_mark_of_the_evening_is_not_late():
    late = suspicions(audience() + brigade(8), SCORES)
    evening = [
        mark._replace(at=evening_of(mark.performance) + 1, is_of_the_evening=True) for mark in brigade(8, others=6)
    ]
    early = suspicions(audience() + evening, SCORES)
    assert all(early[account].score < late[account].score for account in range(1_000, 1_008) if account in early)
    assert all(early[account].links[0] == 0 for account in early if account >= 1_000)  # not counted as one hour


def test_shared_address_block_alone_lowers_no_weight():
    shared = [mark._replace(block="hall") if mark.account < 20 else mark for mark in audience()]
    assert suspicions(shared, SCORES) == suspicions(audience(), SCORES)
    crowd = brigade(8, mark=18, block="hall")
    assert quarters_of(suspicions(audience() + crowd, SCORES)) == {}


def test_block_raises_the_score_of_a_brigade_unless_it_is_crowded():
    alone = suspicions(audience() + brigade(6, mark=23), SCORES)[1_000]
    together = suspicions(audience() + brigade(6, mark=23, block="one"), SCORES)[1_000]
    assert alone.links[1] == 0
    assert together.links[1] > 0.8  # all but honest listeners on the same side
    assert together.score > alone.score
    crowd = [AccountMark(5_000 + n, 1 + n % 3, points(17), evening_of(1 + n % 3), True, "one") for n in range(50)]
    assert suspicions(audience() + crowd + brigade(6, mark=23, block="one"), SCORES)[1_000].links[1] == 0


def test_similar_sheets_raise_the_score():
    copies = [
        mark
        for account in range(1_000, 1_006)
        for mark in (
            AccountMark(account, 0, points(23), NIGHT + 30 * (account - 1_000), False),
            *(AccountMark(account, n, points(12 + n), NIGHT + 30 * (account - 1_000), False) for n in range(1, 6)),
        )
    ]
    links = suspicions(audience() + copies, SCORES)[1_000].links
    assert links[:2] == (0, 0)
    assert links[2] > 0.8


def test_no_marks_have_no_suspicions():
    assert suspicions([], {}) == {}
    assert suspicions(audience(), {}) == {}
    assert suspicions([AccountMark(1, 0, points(25), 0, False)], SCORES) == {}


def test_reference_weighs_accounts_of_one_night_least():
    night = brigade(1, first=1)
    evening = [AccountMark(2, 0, points(17), 19, True)]
    two_evenings = [AccountMark(3, n, points(17), evening_of(n) + 1, True) for n in range(2)]
    assert reference_quarters(night + evening + two_evenings) == {1: 1, 2: 2, 3: 4}
