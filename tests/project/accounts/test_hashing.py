"""Password hashing runs a few at a time and holds no pool connection while it waits."""

import threading

import pytest
from django.db import connection

from apps.accounts.models import User
from apps.accounts.sign_in import passwords
from tests.factories import PASSWORD
from tests.project.accounts.profile.posting import settings_form, shown
from tests.project.plain_browser import PlainBrowser, Seen, link_in, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
BUSY = "Many people are logging in right now. Please try again in a moment."
NEW = "another-seat-31"
PATIENCE = 60.0  # seconds


class Slots(threading.BoundedSemaphore):
    """The semaphore for hashing. It records the number of borrowed pool connections at each acquire."""

    def __init__(self):
        super().__init__(1)
        self.borrowed = []

    def acquire(self, **options):
        pool = connection.pool.get_stats()
        self.borrowed.append(pool["pool_size"] - pool["pool_available"])
        return super().acquire(**options)


@pytest.fixture
def slots(monkeypatch):
    slots = Slots()
    monkeypatch.setattr(passwords, "slots", slots)
    return slots


def signed_in():
    browser = PlainBrowser()
    browser.sign_in(EMAIL, PASSWORD)
    return browser


def password_change(browser):
    return browser.client.post(
        "/profile/settings", {**token(browser), **settings_form(username="fan_of_g", password1=NEW, password2=NEW)}
    )


def token(browser):
    return {"csrfmiddlewaretoken": browser.get("/reauthenticate").fields["csrfmiddlewaretoken"]["value"]}


def password_reset(browser):
    browser.post("/forgot-password", email=EMAIL)
    browser.get(link_in(mails()[0]))
    return browser.post("/reset-password", password1=NEW, password2=NEW)


def account_delete(browser):
    return browser.client.post("/profile/delete", {**token(browser), "password": PASSWORD})


REQUESTS = {  # each gets a browser that is signed in, and an anonymous one
    "a wrong password": lambda _, anonymous: anonymous.sign_in(EMAIL, "wrong"),
    "an unknown address": lambda _, anonymous: anonymous.sign_in("unknown@example.org", "wrong"),
    "a right password": lambda _, anonymous: anonymous.sign_in(EMAIL, PASSWORD),
    "registration": lambda _, anonymous: anonymous.post(
        "/register", email="new@example.org", username="new", password1=PASSWORD
    ),
    "registration of a known address": lambda _, anonymous: anonymous.post(
        "/register", email=EMAIL, username="new", password1=PASSWORD
    ),
    "a password reset": lambda _, anonymous: password_reset(anonymous),
    "reauthentication": lambda browser, _: browser.post("/reauthenticate", password="wrong"),
    "a new password": lambda browser, _: password_change(browser),
    "deletion of the account": lambda browser, _: account_delete(browser),
}


@pytest.mark.parametrize("request_name", REQUESTS)
def test_password_hashing_waits_without_a_connection_and_gives_up_when_busy(fan, slots, monkeypatch, request_name):
    browser, post = signed_in(), REQUESTS[request_name]
    with monkeypatch.context() as patch:
        patch.setattr(passwords, "HASHING_WAIT", 0.01)
        assert slots.acquire(timeout=PATIENCE)
        slots.borrowed.clear()
        response = post(browser, PlainBrowser())
        assert BUSY in (response.text if isinstance(response, Seen) else shown(browser.client, response))
        slots.release()
        assert User.objects.get().check_password(PASSWORD)
    assert set(slots.borrowed) == {0}
    slots.borrowed.clear()
    post(browser, PlainBrowser())
    assert set(slots.borrowed) == {0}


def test_busy_sign_in_is_not_counted_as_a_failure(fan, slots, monkeypatch):
    monkeypatch.setattr(passwords, "HASHING_WAIT", 0.01)
    browser = PlainBrowser()
    assert slots.acquire(timeout=PATIENCE)
    assert all(BUSY in browser.sign_in(EMAIL, "wrong").text for _ in range(6))
    slots.release()
    assert browser.sign_in(EMAIL, PASSWORD).to == "/"
