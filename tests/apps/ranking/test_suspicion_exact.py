"""Test that the linear computation of suspicions agrees with a second implementation that compares all pairs."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ranking import suspicion as rule
from apps.ranking.suspicion import AccountMark, suspicions
from tests.apps.ranking.exact_suspicion import agreeing, scores_of

POINT, PERFORMANCES, LISTENERS = 10_000, 5, 14
SCORES = {number: (16 + number % 3) * POINT for number in range(PERFORMANCES)}
NEAR = 1e-5  # masses are rounded to millionths

sheets = st.tuples(
    st.dictionaries(st.integers(0, PERFORMANCES), st.sampled_from((1, 6, 16, 17, 18, 19.5, 24.75, 25)), max_size=5),
    st.integers(0, 40).map(lambda quarters: 48 + quarters / 4),  # in exact hours, so that an hour apart is one hour
    st.booleans(),
    st.sampled_from(("", "one", "two")),
    st.sampled_from((-1_000.0, -72.0, 0.0)),  # hours of the registration, before the first session at 0
)


def listeners(seed):
    """Return honest marks, some of them late."""
    chance = random.Random(seed)  # noqa: S311 - test data
    return [
        AccountMark(
            account,
            performance,
            round(min(25, max(1, chance.gauss(17, 2))) * POINT),
            24 * (performance % 3) + chance.randrange(24) / 4,
            chance.random() < 0.8,
            chance.choice(("", "one")),
            24.0 * (performance % 3),
        )
        for account in range(LISTENERS)
        for performance in chance.sample(range(PERFORMANCES), 4)
    ]


def of_sheets(drawn):
    """Return the marks of drawn sheets; all give performance 0 a mark, the drawn one or 25."""
    return [
        AccountMark(
            *(100 + number, performance, round(mark * POINT), at + performance / 4, is_of_the_evening, block),
            24.0 * (performance % 3),
            registered,
        )
        for number, (sheet, at, is_of_the_evening, block, registered) in enumerate(drawn)
        for performance, mark in ({0: 25} | sheet).items()
    ]


@given(
    st.lists(sheets, min_size=4, max_size=16),
    st.integers(0, 1_000),
    st.sampled_from((2, 5, 200)),
    st.sampled_from((6, 50)),
)
def test_suspicions_agree_with_the_comparison_of_all_pairs(drawn, seed, sample, crowded):
    marks = listeners(seed) + of_sheets(drawn)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rule, "SAMPLE", sample)
        patch.setattr(rule, "CROWDED", crowded)
        expected, actual = scores_of(marks, SCORES), suspicions(marks, SCORES)
    for account, (score, performance, links) in expected.items():
        product = score / (1 + rule.LINK * sum(links))
        if product >= rule.LEAST + NEAR:
            assert actual[account].performance == performance
            assert actual[account].links == pytest.approx(links, abs=NEAR)
            assert actual[account].score == pytest.approx(score, abs=NEAR)
        elif product < rule.LEAST - NEAR:
            assert account not in actual
            assert score < rule.HALF_FROM
    assert actual.keys() <= expected.keys()


def copies(count, at):
    """Return sheets of one night, with similar marks of three others and 25 for performance 0."""
    return [({1: 12, 2: 13, 3: 14 + number % 2 / 8}, at + number / 8, False, "one", 0.0) for number in range(count)]


@pytest.mark.parametrize("sample", [3, 8, 200])
def test_brigade_has_all_links_with_any_sample(sample, monkeypatch):
    """Show that the property above covers accounts with links."""
    monkeypatch.setattr(rule, "SAMPLE", sample)
    marks = listeners(1) + of_sheets(copies(16, 100))
    expected, actual = scores_of(marks, SCORES), suspicions(marks, SCORES)
    brigade = range(100, 116)
    assert all(min(actual[account].links) > 0.3 for account in brigade)
    for account in brigade:
        assert actual[account].links == pytest.approx(expected[account][2], abs=NEAR)


def bulk(chance, noise):
    """Return sheets of one hour that are within `noise` points of each other, some of them shorter or slower."""
    return [
        AccountMark(
            200 + number, performance, round((12 + performance % 5 + chance.uniform(0, noise)) * POINT), at, False
        )
        for number in range(12)
        for performance in chance.sample(range(24), chance.choice((11, 14, 22, 24)))
        for at in (30 * number + performance / chance.choice((24, 12)),)
    ]


def test_agreeing_sheets_are_those_of_the_comparison_of_all_pairs():
    scores = SCORES | dict.fromkeys(range(PERFORMANCES, 24), 16 * POINT)
    counts = []
    for noise in (0.1, 1.0, 4.0):
        counts.append(0)
        for seed in range(4):
            chance = random.Random(seed)  # noqa: S311 - test data
            marks = listeners(seed) + bulk(chance, noise)
            actual = {account: each.agreeing for account, each in suspicions(marks, scores).items() if each.agreeing}
            assert actual == agreeing(marks, scores)
            counts[-1] += sum(actual.values())
    assert counts[0] >= counts[1] > counts[2] == 0


def test_suspicions_ignore_the_order_of_marks():
    marks = listeners(2) + of_sheets(copies(9, 100))
    actual = suspicions(marks, SCORES)
    assert len(actual) >= 9
    random.Random(3).shuffle(marks)  # noqa: S311 - test data
    assert suspicions(marks, SCORES) == actual


def test_mark_barely_beyond_the_scale_has_no_mass():
    """Six near marks set the scale; the seventh is one ten-thousandth beyond it, and its mass is rounded to 0."""
    near = [AccountMark(account, account % 2, 170_000 + 400_000 * (account % 2), 0, False) for account in range(6)]
    scale = 1.4826 * 300_000
    assert suspicions([*near, AccountMark(7, 2, round(scale * 4 / 3) + 2, 0, False)], {0: 0, 1: 0, 2: 0}) == {}
