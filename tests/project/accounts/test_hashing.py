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
from tests.project.accounts.profile.posting import shown, typed
from tests.project.plain_browser import PlainBrowser, Seen, link_in, mails
from tests.project.small import Small
from tests.project.visitors import Visitor
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
FIRST = {"password1": PASSWORD}
BUSY = "Many people are logging in right now. Please try again in a moment."
MANY = "Too many attempts. Please try again later."  # also when the counters have no free connection
WRONG = "Invalid login credentials. Please try again."
NEW = "another-seat-31"
PATIENCE = 60.0  # seconds
AT_ONCE = 40


class Turns(threading.BoundedSemaphore):
    """The semaphore for hashing, which also records the number of borrowed pool connections at each acquire."""

    def __init__(self):
        super().__init__(1)
        self.lent = []

    def acquire(self, **how):
        numbers = connection.pool.get_stats()
        self.lent.append(numbers["pool_size"] - numbers["pool_available"])
        return super().acquire(**how)


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


@pytest.fixture
def slots(monkeypatch):
    found = Turns()
    monkeypatch.setattr(passwords, "slots", found)
    return found


def signed_in():
    plain_browser = PlainBrowser()
    plain_browser.sign_in(EMAIL, PASSWORD)
    return plain_browser


def new_password(plain_browser):
    return plain_browser.client.post(
        "/profile/settings", {**token(plain_browser), **typed(username="fan", password1=NEW, password2=NEW)}
    )


def token(plain_browser):
    return {"csrfmiddlewaretoken": plain_browser.get("/reauthenticate").fields["csrfmiddlewaretoken"]["value"]}


def reset(plain_browser):
    plain_browser.post("/forgot-password", email=EMAIL)
    plain_browser.get(link_in(mails()[0]))
    return plain_browser.post("/reset-password", password1=NEW, password2=NEW)


def deleted(plain_browser):
    return plain_browser.client.post("/profile/delete", {**token(plain_browser), "password": PASSWORD})


WAYS = {  # each gets a browser that is signed in, and one that is not
    "a wrong password": lambda _, stranger: stranger.sign_in(EMAIL, "wrong"),
    "an unknown address": lambda _, stranger: stranger.sign_in("nobody@example.org", "wrong"),
    "a right password": lambda _, stranger: stranger.sign_in(EMAIL, PASSWORD),
    "signing up": lambda _, stranger: stranger.post("/register", email="new@example.org", username="new", **FIRST),
    "signing up again": lambda _, stranger: stranger.post("/register", email=EMAIL, username="new", **FIRST),
    "a reset": lambda _, stranger: reset(stranger),
    "the password again": lambda plain_browser, _: plain_browser.post("/reauthenticate", password="wrong"),
    "another password": lambda plain_browser, _: new_password(plain_browser),
    "leaving": lambda plain_browser, _: deleted(plain_browser),
}


@pytest.mark.parametrize("way", WAYS)
def test_nobody_hashes_with_a_connection(fan, slots, way):
    plain_browser = signed_in()
    slots.lent.clear()
    WAYS[way](plain_browser, PlainBrowser())
    assert slots.lent
    assert set(slots.lent) == {0}


@pytest.mark.parametrize("way", WAYS)
def test_who_gets_no_turn_is_told_so_and_nothing_is_changed(fan, slots, monkeypatch, way):
    monkeypatch.setattr(passwords, "HASHING_WAIT", 0.01)
    plain_browser = signed_in()
    assert slots.acquire(timeout=PATIENCE)
    answer = WAYS[way](plain_browser, PlainBrowser())
    assert BUSY in (answer.text if isinstance(answer, Seen) else shown(plain_browser.client, answer))
    slots.release()
    assert User.objects.get().check_password(PASSWORD)


def test_who_got_no_turn_has_not_failed(fan, slots, monkeypatch):
    monkeypatch.setattr(passwords, "HASHING_WAIT", 0.01)
    plain_browser = PlainBrowser()
    assert slots.acquire(timeout=PATIENCE)
    assert all(BUSY in plain_browser.sign_in(EMAIL, "wrong").text for _ in range(6))
    slots.release()
    assert plain_browser.sign_in(EMAIL, PASSWORD).to == "/"


def test_readers_get_their_pages_while_many_try_passwords(fan, tmp_path):
    """Each of the forty clients has its own IP address and mail address, so that no rate limit ends the work early."""
    small = Small(tmp_path, content.address(connection.settings_dict["NAME"]), BEHIND_PROXY="1", EMAIL_URL="")
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
            seen = visitor.sign_in(f"nobody{number}@example.org", "wrong")
            return next((words for words in (WRONG, BUSY, MANY) if words in seen.text), f"{seen.status}: {seen.text}")

        def read():
            reader, seen = Visitor(small), Counter()
            reader.cookies.load(cookie)  # a signed-in reader: every page looks up the session
            while not done.is_set():
                seen[reader.get("/").status] += 1
            return seen

        with ThreadPoolExecutor(AT_ONCE + 1) as pool:
            reading = pool.submit(read)
            said = Counter(pool.map(guess, range(AT_ONCE)))
            done.set()
            pages = reading.result(PATIENCE)
    finally:
        small.leave()
    assert said.keys() <= {WRONG, BUSY, MANY}
    assert said[WRONG] >= passwords.HASHING_AT_ONCE
    assert pages.keys() == {200}
    assert "PoolTimeout" not in small.text
    assert "came free" not in small.text
