"""Entries of the security log for users and anonymous visitors, without anything that they typed."""

import asyncio
import json
import logging
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from apps.core.observability import security_counts_write
from tests.factories import PASSWORD
from tests.project.accounts.second_factors.setting_up import by_code, set_up
from tests.project.plain_browser import PlainBrowser, link_in, mails
from tests.project.small import small_site
from tests.project.visitors import Visitor
from tests.servers import Socket

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"


@pytest.fixture
def lines(caplog):
    """Return a function that reads the new entries as (event, reason, account)."""
    security_counts_write()
    caplog.set_level(logging.INFO, "parterre.security")
    caplog.clear()

    def read():
        security_counts_write()
        records = [each for each in caplog.records if each.name == "parterre.security"]
        assert not [each for each in records if "@" in str(each.__dict__) or PASSWORD in str(each.__dict__)]
        caplog.clear()
        return [(each.message, each.reason, getattr(each, "account", None)) for each in records]

    return read


def test_sign_in_and_out_are_logged_with_the_factor(fan, lines):
    browser = PlainBrowser()
    browser.sign_in(EMAIL, "wrong")
    PlainBrowser().sign_in("unknown@example.org", "wrong")
    browser.sign_in(EMAIL, PASSWORD)
    browser.post("/reauthenticate", password="wrong")
    browser.post("/reauthenticate", password=PASSWORD)
    browser.client.post("/sign-out", headers={"Origin": "https://evil.example"})
    browser.client.post("/sign-out", headers={"Origin": settings.PUBLIC_URL})
    assert lines() == [
        ("sign-in refused", "wrong password", fan.pk),
        ("sign-in refused", "unknown address", None),
        ("signed in", "password", fan.pk),
        ("reauthentication refused", "wrong password", fan.pk),
        ("reauthenticated", "password", fan.pk),
        ("form refused", "foreign origin", None),
        ("signed out", "", fan.pk),
    ]


def test_limits_are_logged(fan, lines):
    for _ in range(7):
        PlainBrowser().sign_in(EMAIL, "wrong")
    for _ in range(3):
        PlainBrowser().post("/forgot-password", email=EMAIL)
    assert [line[:2] for line in lines()] == [
        ("sign-in refused", "wrong password"),
        ("limit reached", "sign-in-here"),
        ("limit reached", "reset-address-hour"),
        ("sign-in refused", "wrong password"),
        ("limit reached", "sign-in-here"),
    ]


def test_second_factors_are_logged(fan, lines):
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    secret = set_up(browser)
    again = PlainBrowser()
    again.sign_in(EMAIL, PASSWORD)
    again.post("/two-factor", code="000000")
    by_code(again, secret)
    assert list(dict.fromkeys(lines())) == [
        ("signed in", "password", fan.pk),
        ("second factor changed", "app.add", fan.pk),
        ("second factor asked", "password", fan.pk),
        ("second factor refused", "totp", fan.pk),
        ("signed in", "password, totp", fan.pk),
    ]


def test_limits_of_allauth_are_logged(fan, lines, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"reset_password_from_key": "20/m/ip"}
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    set_up(browser)
    again = PlainBrowser()
    again.sign_in(EMAIL, PASSWORD)
    lines()
    assert [again.post("/two-factor", code="000000").status for _ in range(6)] == [200] * 6
    anonymous = PlainBrowser()
    token = {"csrfmiddlewaretoken": anonymous.get("/login").fields["csrfmiddlewaretoken"]["value"]}
    reset = [anonymous.client.post("/reset-password", token).status_code for _ in range(21)]
    assert reset == [200] * 20 + [429]
    assert list(dict.fromkeys(line[:2] for line in lines())) == [
        ("second factor refused", "totp"),
        ("limit reached", "too_many_login_attempts"),
        ("limit reached", "account_reset_password_from_key"),
    ]


def test_new_passwords_and_forged_forms_are_logged(fan, lines):
    browser = PlainBrowser()
    browser.post("/forgot-password", email=EMAIL)
    browser.get(link_in(mails()[0]))
    browser.post("/reset-password", password1="another-seat-31", password2="another-seat-31")
    browser.client.post("/login", {"login": EMAIL, "password": PASSWORD})
    Client(enforce_csrf_checks=True).post("/login", {}, headers={"Origin": "https://evil.example"})
    assert lines() == [
        ("password changed", "", fan.pk),
        ("form refused", "no token", None),
        ("form refused", "foreign origin", None),
    ]


async def test_process_logs_client_addresses_and_counts_repeated_refusals(fan, tmp_path: Path) -> None:
    with small_site(tmp_path, LOG_FORMAT="json", DRAIN_SECONDS="0") as small:
        for _ in range(30):
            socket = await Socket(small).open(origin="https://evil.example")
            assert not socket.accepted
            socket.leave()
        for _ in range(3):
            socket = await Socket(small).live("/")
            for _ in range(100):
                socket.send("{}")
            assert await socket.closed()
        visitor = Visitor(small)
        await asyncio.to_thread(visitor.get, "/login")
        await asyncio.to_thread(visitor.sign_in, EMAIL, "wrong")
        assert await asyncio.to_thread(small.end_quietly) == 0
    entries = [each for each in map(json.loads, small.text.splitlines()) if each["logger"] == "parterre.security"]
    fields = {(each["message"], each.get("reason"), each.get("client"), each.get("more")) for each in entries}
    assert fields >= {
        ("socket refused", "foreign origin", "127.0.0.1", None),
        ("socket refused", "foreign origin", None, 29),
        ("sign-in refused", "wrong password", "127.0.0.1", None),
    }
    assert any(each["message"] == "socket closed" and each.get("client") == "127.0.0.1" for each in entries)
    assert len(entries) < 12
    assert all(each["level"] == "WARNING" for each in entries)
