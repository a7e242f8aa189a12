"""Test rate limits: token buckets in PostgreSQL, by its clock, for writes and for attempts."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from apps.core.limits import RateLimit
from apps.core.models import RateLimitUse
from apps.core.rate_limits import Attempt, TooMany, Use, rate_limit_take, rate_limits_forget, rate_limits_prune
from tests.apps.conftest import run_together
from tests.clock import clock_set
from tests.rate_limits import seconds_pass

WINDOW = RateLimit("window", 3, 60)
PACE = RateLimit("pace", 3, 60, one_by_one=True)


def taken(limit, times, *, account_id=7):
    """Return how many of these attempts the rate limit allows."""
    allowed = 0
    for _ in range(times):
        try:
            rate_limit_take(limit, account_id=account_id)
        except TooMany:
            continue
        allowed += 1
    return allowed


@pytest.mark.django_db
def test_window_returns_each_token_after_its_time():
    assert taken(WINDOW, 1) == 1
    seconds_pass(40)
    assert taken(WINDOW, 5) == 2
    seconds_pass(21)  # the first token is free again
    assert taken(WINDOW, 5) == 1
    seconds_pass(38)
    assert taken(WINDOW, 5) == 0
    seconds_pass(2)
    assert taken(WINDOW, 5) == 2


@pytest.mark.django_db
def test_pace_returns_one_token_at_a_time():
    assert taken(PACE, 5) == 3
    for _ in range(4):
        seconds_pass(59)
        assert taken(PACE, 1) == 0
        seconds_pass(1)
        assert taken(PACE, 5) == 1
    seconds_pass(3600)
    assert taken(PACE, 5) == 3


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [WINDOW, PACE])
def test_use_by_a_clock_that_was_ahead_does_not_count(limit):
    for ahead in (timedelta(hours=1), timedelta(days=1)):
        clock_set(ahead)
        assert taken(limit, 5) == 3
        clock_set(-ahead)
        assert taken(limit, 5) == 3
        seconds_pass(4 * limit.seconds)


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [WINDOW, PACE])
def test_refusal_names_the_wait_for_the_next_use(limit):
    taken(limit, 3)
    for passed, wait in ((0, 60), (10, 50)):
        seconds_pass(passed)
        with pytest.raises(TooMany) as refused:
            rate_limit_take(limit, account_id=7)
        assert wait - 5 < refused.value.wait <= wait
        assert refused.value.messages == ["Too many attempts. Please try again later.", "You can try again in 1 min."]


def test_refusal_rounds_the_wait_up():
    waits = {0.2: "1 s, 1 min, 1 h", 61: "61 s, 2 min, 1 h", 3600: "3600 s, 60 min, 1 h", 3601: "3601 s, 61 min, 2 h"}
    refusal = "Slowly: %(seconds)d s, %(minutes)d min, %(hours)d h"
    messages = {wait: TooMany(wait, refusal).messages for wait in waits}
    assert messages == {wait: [f"Slowly: {text}"] for wait, text in waits.items()}


@pytest.mark.django_db
def test_smaller_limit_of_the_same_name_has_its_own_wait():
    taken(WINDOW, 2)
    seconds_pass(20)
    taken(WINDOW, 1)
    with pytest.raises(TooMany) as refused:
        rate_limit_take(replace(WINDOW, amount=1, refusal="Slowly."), account_id=7)
    assert 55 < refused.value.wait <= 60
    assert refused.value.messages == ["Slowly."]
    assert isinstance(refused.value, ValidationError)


@pytest.mark.django_db
def test_limits_are_counted_per_account_and_name():
    assert taken(WINDOW, 5) == 3
    assert taken(WINDOW, 5, account_id=8) == 3
    assert taken(replace(WINDOW, name="other"), 5) == 3
    rate_limits_forget(account_id=7)
    assert taken(WINDOW, 5) == 3
    assert taken(WINDOW, 5, account_id=8) == 0


@pytest.mark.django_db
def test_rate_limit_take_is_one_query(django_assert_num_queries):
    for _ in range(3):
        with django_assert_num_queries(1):
            rate_limit_take(WINDOW, account_id=7)
    with django_assert_num_queries(1), pytest.raises(TooMany):
        rate_limit_take(WINDOW, account_id=7)


@pytest.mark.django_db
def test_rate_limits_prune_deletes_only_unused_rows():
    taken(WINDOW, 2)
    seconds_pass(61)
    taken(PACE, 1)
    assert rate_limits_prune() == 1
    assert [str(row) for row in RateLimitUse.objects.all()] == ["pace of account.7"]
    assert rate_limits_prune() == 0
    seconds_pass(61)
    assert rate_limits_prune() == 1


@pytest.mark.django_db(transaction=True)
def test_rollback_returns_a_use_but_not_an_attempt():
    for _ in range(3):
        with transaction.atomic():
            rate_limit_take(WINDOW, account_id=7)
            Attempt().take([Use(WINDOW, "subject")])
            transaction.set_rollback(True)
    assert taken(WINDOW, 5) == 3
    with pytest.raises(TooMany):
        Attempt().take([Use(WINDOW, "subject")])


@pytest.mark.django_db(transaction=True)
def test_attempt_counts_in_all_limits_or_in_none():
    other = replace(WINDOW, name="other")
    Attempt().take([Use(WINDOW, "subject")] * 3)
    with pytest.raises(TooMany):
        Attempt().take([Use(other, "subject"), Use(WINDOW, "subject")])
    assert not RateLimitUse.objects.filter(name="other").exists()
    attempt = Attempt().take([Use(other, "subject"), Use(other, "subject", times=10)])
    attempt.rollback()
    attempt.rollback()
    assert RateLimitUse.objects.get(name="other").back_at == []
    assert rate_limits_prune() == 1
    Use(WINDOW, "subject").forget()
    assert not RateLimitUse.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("limit", [WINDOW, PACE])
def test_concurrent_uses_are_limited_like_consecutive_ones(limit):
    results = run_together(*[lambda: taken(limit, 4)] * 6)
    assert sum(results) == 3
    assert len(RateLimitUse.objects.get().back_at) == 3


@pytest.mark.django_db(transaction=True)
def test_concurrent_attempts_are_all_counted():
    attempt = lambda: Attempt().take([Use(WINDOW, "subject"), Use(PACE, "subject")])  # noqa: E731
    results = run_together(*[attempt] * 20, connect=False)
    assert sum(isinstance(result, TooMany) for result in results) == 17, results
    assert [len(row.back_at) for row in RateLimitUse.objects.all()] == [3, 3]
