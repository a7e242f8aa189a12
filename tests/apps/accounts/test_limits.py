"""Test the rate limits of sign-in, sign-up and password resets: their numbers, keys and clock."""

import logging
import time
from datetime import timedelta
from ipaddress import ip_network
from itertools import product

import pytest
from allauth.core.internal import ratelimit as allauths
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import RequestFactory
from django.utils import timezone

from apps.accounts.attempts import (
    google_attempt,
    registration_attempt,
    reset_attempt,
    sign_in_attempt,
    sign_in_forgive,
    sign_in_link_attempt,
    sign_up_attempt,
)
from apps.accounts.requests import client_of
from apps.accounts.sign_in import adapter as adapters
from apps.accounts.sign_in.adapter import AccountAdapter
from apps.accounts.sign_in.forms import LoginForm
from apps.core.database.autocommit_pool import autocommit_pool
from apps.core.models import RateLimitUse
from apps.core.rate_limits import TooMany
from tests.rate_limits import seconds_pass

pytestmark = pytest.mark.django_db(transaction=True)
HERE, THERE = "192.0.2.1", "192.0.2.2"


def allowed(attempt, times):
    """Return how many of these consecutive attempts the rate limit allows."""
    count = 0
    for number in range(times):
        try:
            attempt(number)
        except TooMany:
            continue
        count += 1
    return count


def tries(times, *, email="fan@example.org", client=HERE, browser=""):
    """Return how many of these consecutive failed sign-ins the rate limit allows."""
    return allowed(lambda _: sign_in_attempt(email=email, client=client, browser=browser), times)


@pytest.mark.parametrize("jump", [-86_400, -3_600, 3_600, 86_400])
def test_sign_in_limit_ignores_the_process_clock(monkeypatch, jump):
    assert tries(8) == 5
    now = time.time
    monkeypatch.setattr("time.time", lambda: now() + jump)
    assert tries(1) == 0
    with pytest.raises(TooMany) as refused:
        sign_in_attempt(email="fan@example.org", client=HERE, browser="")
    assert "You can try again in 5 min." in refused.value.messages
    assert tries(8, client=THERE) == 5
    monkeypatch.setattr("time.time", now)
    assert tries(1, client=THERE) == 0


@pytest.mark.parametrize("jump", [-86_400, 86_400])
def test_allauths_own_limits_ignore_the_process_clock(monkeypatch, jump):
    def codes(times):
        request = RequestFactory().post("/two-factor")
        limit = {"app": "allauth.account", "action": "login_failed", "key": "fan"}
        return sum(bool(allauths.consume(request, **limit)) for _ in range(times))

    assert codes(8) == 5
    now = time.time
    monkeypatch.setattr("time.time", lambda: now() + jump)
    assert codes(8) == 0


def test_client_may_fail_five_times_in_five_minutes_at_one_address():
    assert tries(8) == 5
    with pytest.raises(TooMany) as refused:
        sign_in_attempt(email="fan@example.org", client=HERE, browser="")
    assert refused.value.messages == ["Too many attempts. Please try again later.", "You can try again in 5 min."]
    assert tries(1, email="other@example.org") == 1
    assert tries(1, client=THERE) == 1
    seconds_pass(5 * 60 - 5)
    assert tries(1) == 0
    seconds_pass(6)
    assert tries(8) == 5


def test_spellings_that_sign_in_treats_alike_share_one_limit():
    cases = ["".join(signs) for signs in product(*((sign, sign.upper()) for sign in "kate@exa"))]
    spellings = [f"{case}mple.org" for case in cases[:190]] + [
        f"{' ' * (n % 3)}\u212aate@example.org{' ' * n}" for n in range(10)
    ]
    assert {LoginForm({"login": email}).fields["login"].clean(email) for email in spellings} == {"kate@example.org"}
    assert sum(tries(1, email=email) for email in spellings[::5]) == 5


def test_address_may_fail_thirty_times_an_hour_except_from_known_browsers():
    assert sum(tries(5, client=f"192.0.2.{n}") for n in range(1, 12)) == 30
    assert tries(1, client=THERE) == 0
    assert tries(8, client="192.0.2.200", browser="b1") == 5
    assert tries(1, client="192.0.2.200", browser="b2") == 1


def test_client_may_fail_a_hundred_times_a_minute_and_six_hundred_times_an_hour():
    assert sum(tries(1, email=f"fan{n}@example.org") for n in range(105)) == 100
    total = 100
    for minute in range(6):
        seconds_pass(61)
        total += sum(tries(1, email=f"fan{minute}-{n}@example.org") for n in range(100))
    assert total == 600


def test_venue_may_fail_ten_times_as_often_but_not_at_one_address(settings):
    settings.VENUE_ADDRESSES = (ip_network("192.0.2.0/24"),)
    assert sum(tries(1, email=f"fan{n}@example.org") for n in range(105)) == 105
    assert tries(8, email="one@example.org", client=THERE) == 5


def test_refused_attempt_is_not_counted():
    assert tries(5) == 5
    rows = {row.pk: row.back_at for row in RateLimitUse.objects.all()}
    assert {name for _, name in rows} > {"sign-in-here", "sign-in-client-hour"}
    assert tries(20) == 0
    assert {row.pk: row.back_at for row in RateLimitUse.objects.all()} == rows


def test_successful_sign_in_is_not_counted_and_a_new_password_clears_the_limit():
    for _ in range(20):
        sign_in_attempt(email="fan@example.org", client=HERE, browser="").rollback()
    assert tries(5) == 5
    sign_in_forgive(email="Fan@example.org", client=HERE)
    assert tries(5) == 5


def test_many_other_attempts_release_no_locked_address():
    locked = {f"locked{n}@example.org": f"198.51.100.{n}" for n in range(5)}
    for email, client in locked.items():
        tries(5, email=email, client=client)
    back_at = [timezone.now() + timedelta(hours=1)]
    columns = {"name": "sign-in-here", "back_at": back_at, "allowed": True}
    RateLimitUse.objects.bulk_create(RateLimitUse(subject=f"other{n}", **columns) for n in range(600))
    for number in range(20):
        tries(1, email=f"other{number}@example.org", client=f"203.0.113.{number}")
    assert not [email for email, client in locked.items() if tries(1, email=email, client=client)]


def test_attempts_are_counted_despite_a_rollback():
    total = 0
    for _ in range(8):
        with transaction.atomic():
            total += tries(1)
            transaction.set_rollback(True)
    assert total == 5


def test_stored_limits_contain_neither_address_nor_client():
    tries(6)
    sign_up_attempt(email="fan@example.org", client=HERE)
    reset_attempt(email="fan@example.org", client=HERE)
    stored = " ".join(f"{row.subject} {row.name} {row.back_at}" for row in RateLimitUse.objects.all())
    assert len(stored) > 300
    assert not [secret for secret in ("fan", "example", HERE) if secret in stored]


def test_sign_in_is_refused_while_its_limit_is_locked(settings):
    tries(1, client="127.0.0.1")
    if not settings.POOLED:  # behind a pooler the setting would stay on a connection that other clients get
        autocommit_pool.run(lambda connection: connection.execute("SET lock_timeout = 50"))
    with transaction.atomic():
        RateLimitUse.objects.select_for_update().get(name="sign-in-here")
        with pytest.raises(TooMany) as refused:
            AccountAdapter().pre_authenticate(RequestFactory().post("/login"), email="fan@example.org", password="x")
    autocommit_pool.close()
    assert refused.value.messages == ["Too many attempts. Please try again later."]


# Name of the limit: the attempt, the people of an audience of a thousand who make it within an hour behind one address.
CROWD = {
    "sign-up-client": (sign_up_attempt, 1_000),
    "sign-in-link-client": (sign_in_link_attempt, 1_000),
    "google-client": (lambda client, **_: google_attempt(client=client), 1_000),
    "verify-client": (lambda email, client: registration_attempt(emails=[email], client=client), 1_000),
    "reset-client": (reset_attempt, 200),
}


def test_thousand_people_behind_one_address_are_no_attack_and_ten_thousand_are():
    for name, (attempt, people) in CROWD.items():
        attempt(email=f"{name}@example.org", client=HERE)
        uses, outcomes = RateLimitUse.objects.filter(name=name), []
        for earlier in (people - 1, 10 * people):
            uses.update(back_at=[timezone.now() + timedelta(hours=1)] * earlier)
            email = f"{name}-{earlier}@example.org"
            outcomes.append(allowed(lambda _, attempt=attempt, email=email: attempt(email=email, client=HERE), 1))
        assert outcomes == [1, 0], name
        assert allowed(lambda _, attempt=attempt: attempt(email="fan@example.org", client=THERE), 1) == 1, name


def test_address_gets_three_registration_mails_an_hour():
    sign_up_attempt(email="fan@example.org", client=HERE)
    registration_attempt(emails=["Fan@Example.org", "other@example.org"], client=THERE)
    registration_attempt(emails=["other@example.org", "fan@example.org"], client=HERE)
    for attempt in (
        lambda: sign_up_attempt(email="fan@example.org", client=THERE),
        lambda: registration_attempt(emails=["third@example.org", "fan@example.org"], client=HERE),
    ):
        with pytest.raises(TooMany):
            attempt()
    for _ in range(3):  # a refused attempt is not counted
        sign_up_attempt(email="third@example.org", client=HERE)
    seconds_pass(3_600)
    sign_up_attempt(email="fan@example.org", client=HERE)


def test_address_gets_two_reset_mails_an_hour_and_five_a_day():
    def resets():
        return allowed(lambda n: reset_attempt(email="fan@example.org", client=f"192.0.2.{n}"), 4)

    assert resets() == 2
    seconds_pass(3_601)
    assert resets() == 2
    seconds_pass(3_601)
    assert resets() == 1
    seconds_pass(86_400)
    assert resets() == 2


def test_client_of_ignores_forwarded_headers():
    clients = {"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8::1:2": "2001:db8::/64", "": ""}
    headers = {"HTTP_X_FORWARDED_FOR": "6.6.6.6", "HTTP_X_REAL_IP": "6.6.6.6"}
    requests = {address: RequestFactory().get("/", REMOTE_ADDR=address, **headers) for address in clients}
    assert {address: client_of(request) for address, request in requests.items()} == clients


def test_sign_in_is_allowed_and_logged_if_counting_fails(monkeypatch, caplog):
    def broken(**_):
        raise RuntimeError("the counters are away")

    monkeypatch.setattr(adapters.attempts, "sign_in_attempt", broken)
    request = RequestFactory().post("/login")
    request.user = AnonymousUser()
    with caplog.at_level(logging.ERROR):
        AccountAdapter().pre_authenticate(request, email="fan@example.org", password="x")
    assert [(record.levelname, record.message) for record in caplog.records] == [("ERROR", "a sign-in was not counted")]


def test_adapter_refuses_an_attempt_over_the_limit():
    tries(5, client="127.0.0.1")
    with pytest.raises(ValidationError):
        AccountAdapter().pre_authenticate(RequestFactory().post("/login"), email="fan@example.org", password="x")
