"""Test rate limits: token buckets in PostgreSQL, by its clock, for writes and for attempts."""

import threading
from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from apps.core.limits import RateLimit
from apps.core.models import RateLimitUse
from apps.core.rate_limits import Attempt, TooMany, Use, rate_limit_take, rate_limits_forget, rate_limits_prune
from tests.apps.conftest import run_together
from tests.rate_limits import seconds_pass

WINDOW = RateLimit("window", 3, 60)
PACE = RateLimit("pace", 3, 60, one_by_one=True)


def taken(limit, times, *, account_id=7):
    """Return how many of this many attempts the rate limit allows."""
    done = 0
    for _ in range(times):
        try:
            rate_limit_take(limit, account_id=account_id)
        except TooMany:
            continue
        done += 1
    return done


@pytest.mark.django_db
def test_of_a_window_each_comes_back_by_itself():
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
def test_of_a_pace_one_comes_back_after_the_other():
    assert taken(PACE, 5) == 3
    for _ in range(4):
        seconds_pass(59)
        assert taken(PACE, 1) == 0
        seconds_pass(1)
        assert taken(PACE, 5) == 1
    seconds_pass(3600)
    assert taken(PACE, 5) == 3


@pytest.mark.django_db
@pytest.mark.parametrize(("limit", "waits"), [(WINDOW, (60, 50)), (PACE, (60, 50))])
def test_who_is_refused_learns_when_the_next_is_allowed(limit, waits):
    taken(limit, 3)
    for passed, wait in zip((0, 10), waits, strict=True):
        seconds_pass(passed)
        with pytest.raises(TooMany) as refused:
            rate_limit_take(limit, account_id=7)
        assert wait - 5 < refused.value.wait <= wait
        assert refused.value.messages == ["Too many attempts. Please try again later.", "You can try again in 1 min."]


@pytest.mark.parametrize(
    ("wait", "sentence"),
    [(0.2, "1 s, 1 min, 1 h"), (61, "61 s, 2 min, 1 h"), (3600, "3600 s, 60 min, 1 h"), (3601, "3601 s, 61 min, 2 h")],
)
def test_a_refusal_of_its_own_says_when_rounded_up(wait, sentence):
    refusal = "Slowly: %(seconds)d s, %(minutes)d min, %(hours)d h"
    assert TooMany(wait, refusal).messages == [f"Slowly: {sentence}"]


@pytest.mark.django_db
def test_who_is_refused_by_a_smaller_limit_of_that_name_waits_for_it():
    taken(WINDOW, 2)
    seconds_pass(20)
    taken(WINDOW, 1)
    with pytest.raises(TooMany) as refused:
        rate_limit_take(replace(WINDOW, amount=1, refusal="Slowly."), account_id=7)
    assert 55 < refused.value.wait <= 60
    assert refused.value.messages == ["Slowly."]
    assert isinstance(refused.value, ValidationError)


@pytest.mark.django_db
def test_everybody_and_every_name_has_its_own():
    assert taken(WINDOW, 5) == 3
    assert taken(WINDOW, 5, account_id=8) == 3
    assert taken(replace(WINDOW, name="other"), 5) == 3
    rate_limits_forget(account_id=7)
    assert taken(WINDOW, 5) == 3
    assert taken(WINDOW, 5, account_id=8) == 0


@pytest.mark.django_db
def test_one_query_whether_it_is_the_first_or_one_too_many(django_assert_num_queries):
    for _ in range(3):
        with django_assert_num_queries(1):
            rate_limit_take(WINDOW, account_id=7)
    with django_assert_num_queries(1), pytest.raises(TooMany):
        rate_limit_take(WINDOW, account_id=7)


@pytest.mark.django_db
def test_what_is_used_up_is_forgotten_and_nothing_else():
    taken(WINDOW, 2)
    seconds_pass(61)
    taken(PACE, 1)
    assert rate_limits_prune() == 1
    assert [str(row) for row in RateLimitUse.objects.all()] == ["pace of account.7"]
    assert rate_limits_prune() == 0
    seconds_pass(61)
    assert rate_limits_prune() == 1


@pytest.mark.django_db(transaction=True)
def test_what_is_undone_is_given_back_and_an_attempt_is_not():
    for _ in range(3):
        with transaction.atomic():
            rate_limit_take(WINDOW, account_id=7)
            Attempt().take([Use(WINDOW, "somebody")])
            transaction.set_rollback(True)
    assert taken(WINDOW, 5) == 3
    with pytest.raises(TooMany):
        Attempt().take([Use(WINDOW, "somebody")])


@pytest.mark.django_db(transaction=True)
def test_an_attempt_counts_everywhere_or_nowhere():
    other = replace(WINDOW, name="other")
    Attempt().take([Use(WINDOW, "somebody")] * 3)
    with pytest.raises(TooMany):
        Attempt().take([Use(other, "somebody"), Use(WINDOW, "somebody")])
    assert not RateLimitUse.objects.filter(name="other").exists()
    attempt = Attempt().take([Use(other, "somebody"), Use(other, "somebody", times=10)])
    attempt.rollback()
    attempt.rollback()
    assert RateLimitUse.objects.get(name="other").back_at == []
    assert rate_limits_prune() == 1
    Use(WINDOW, "somebody").forget()
    assert not RateLimitUse.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("limit", [WINDOW, PACE])
def test_at_the_same_moment_as_many_are_let_through_as_one_after_the_other(limit):
    results = run_together(*[lambda: taken(limit, 4)] * 6)
    assert sum(results) == 3
    assert len(RateLimitUse.objects.get().back_at) == 3


@pytest.mark.django_db(transaction=True)
def test_attempts_of_many_threads_are_all_counted():
    start, refused = threading.Barrier(20), []

    def attempt():
        start.wait(20)
        try:
            Attempt().take([Use(WINDOW, "somebody"), Use(PACE, "somebody")])
        except TooMany:
            refused.append(1)

    threads = [threading.Thread(target=attempt) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(refused) == 17
    assert [len(row.back_at) for row in RateLimitUse.objects.all()] == [3, 3]
