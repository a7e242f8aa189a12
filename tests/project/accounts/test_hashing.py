"""Password hashing runs a few at a time and holds no pool connection while it waits."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie

import pytest
from django.db import connection

from apps.accounts.models import User
from apps.accounts.services.accounts import account_create
from apps.accounts.sign_in import passwords
from tests.e2e import content
from tests.factories import PASSWORD
from tests.project.accounts.profile.posting import settings_form, shown
from tests.project.plain_browser import PlainBrowser, Seen, link_in, mails
from tests.project.small import Small
from tests.project.visitors import Visitor
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
BUSY = "Many people are logging in right now. Please try again in a moment."
TOO_MANY = "Too many attempts. Please try again later."  # also when the counters have no free connection
WRONG = "Invalid login credentials. Please try again."
NEW = "another-seat-31"
PATIENCE = 60.0  # seconds
AT_ONCE = 24


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
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


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
        "/profile/settings", {**token(browser), **settings_form(username="fan", password1=NEW, password2=NEW)}
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


def test_pages_are_served_while_many_passwords_are_hashed(fan, tmp_path):
    """Each of the clients has its own IP address and mail address, so that no rate limit ends the work early."""
    address = content.address(connection.settings_dict["NAME"])
    small = Small(tmp_path, address, BEHIND_PROXY="1", EMAIL_URL="", HASHING="1")
    small.start()
    cookie = session_cookie(fan)
    try:
        first = Visitor(small)
        first.get("/login")
        start = threading.Barrier(AT_ONCE)
        done = threading.Event()

        def guess(number):
            visitor = Visitor(small, X_Real_IP=f"198.51.100.{number}")
            visitor.cookies, visitor.token = SimpleCookie(first.cookies.output(header="", sep=";")), first.token
            start.wait(PATIENCE)
            reply = visitor.sign_in(f"unknown{number}@example.org", "wrong")
            sentences = (text for text in (WRONG, BUSY, TOO_MANY) if text in reply.text)
            return next(sentences, f"{reply.status}: {reply.text}")

        def read():
            reader, statuses = Visitor(small), Counter()
            reader.cookies.load(cookie)  # a signed-in reader: every page looks up the session
            while not done.is_set():
                statuses[reader.get("/").status] += 1
            return statuses

        with ThreadPoolExecutor(AT_ONCE + 1) as pool:
            reading = pool.submit(read)
            outcomes = Counter(pool.map(guess, range(AT_ONCE)))
            done.set()
            pages = reading.result(PATIENCE)
    finally:
        small.leave()
    assert outcomes.keys() <= {WRONG, BUSY, TOO_MANY}
    assert outcomes[WRONG] >= passwords.HASHING_AT_ONCE
    assert pages.keys() == {200}
    assert "PoolTimeout" not in small.text
    assert "came free" not in small.text
