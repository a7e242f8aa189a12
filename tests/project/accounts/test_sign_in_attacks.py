"""Password guessing against two real processes that share one database."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.cookies import SimpleCookie
from itertools import cycle, islice, product

import pytest
from django.db import connection

from apps.accounts.attempts import folded_address
from apps.accounts.services.accounts import account_create
from apps.core.models import ErrorLog
from tests.e2e import content
from tests.factories import PASSWORD
from tests.owner import as_owner
from tests.project.plain_browser import PlainBrowser
from tests.project.small import Small
from tests.project.visitors import Visitor

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL, STRANGERS = "fan@kinski.example", "nobody@kinski.example"
WRONG, MANY, BUSY = "Invalid login credentials", "Too many attempts", "Many people are logging in right now"
# Characters that could count as the same letter: upper case, PostgreSQL's or Python's case folding, accents.
FOLDED = {"k": "kK\u212a", "i": "iI\u0131\u0130\u00ed", "n": "nN\u0144", "s": "sS\u017f"}
GUESS = "wrong"
TRIES = 200
AT_ONCE = 8


def spellings(email):
    """Yield other spellings of an address, beginning with the address itself."""
    return ("".join(letters) for letters in product(*(FOLDED.get(sign, sign) for sign in email)))


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="kinski")


@contextmanager
def processes(folder, **environment):
    """Two web processes on the test's database."""
    address = content.address(connection.settings_dict["NAME"])
    started = []
    try:
        for number in range(2):
            (folder / str(number)).mkdir()
            small = Small(folder / str(number), address, DRAIN_SECONDS="0", EMAIL_URL="", **environment)
            started.append(small)
            small.start()
        yield started
    finally:
        for small in started:
            small.leave()


@pytest.fixture(scope="module")
def direct(django_db_setup, tmp_path_factory):
    """Two processes without a proxy."""
    with processes(tmp_path_factory.mktemp("direct")) as started:
        yield started


@pytest.fixture(scope="module")
def proxied(django_db_setup, tmp_path_factory):
    """Two processes behind a proxy, which names the client's address."""
    with processes(tmp_path_factory.mktemp("proxied"), BEHIND_PROXY="1") as started:
        yield started


def outcome(seen):
    """Return the outcome of an attempt: signed in, or the sentence that refuses it."""
    if seen.status == 302:
        return "in"
    return next((words for words in (WRONG, MANY, BUSY) if words in seen.text), f"{seen.status}: {seen.text}")


def guesses(servers, emails, password=GUESS, *, clients=None):
    """Return how often each outcome occurs when these attempts run concurrently.

    The attempts alternate between the processes. Each has its own browser, but all share one CSRF token and its cookie.
    """
    first = Visitor(servers[0])
    first.get("/login")

    def guess(number, email):
        headers = {"X_Real_IP": clients(number)} if clients else {}
        visitor = Visitor(servers[number % 2], **headers)
        visitor.cookies, visitor.token = SimpleCookie(first.cookies.output(header="", sep=";")), first.token
        said = BUSY
        while said == BUSY:  # a slow machine; the password was not checked (test_hashing.py), so try again
            said = outcome(visitor.sign_in(email, password))
        return said

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(guess, range(len(emails)), emails))


def test_two_hundred_spellings_of_one_address_are_a_few_tries(fan, direct):
    emails = list(islice(spellings(EMAIL), TRIES))
    assert len(set(emails)) == TRIES
    begun = time.monotonic()
    said = guesses(direct, emails)
    minutes = 1 + int((time.monotonic() - begun) / 60)
    assert said.keys() == {WRONG, MANY}
    assert said[WRONG] <= 10 * minutes  # the limit of one client, over all addresses
    assert guesses(direct, [EMAIL], PASSWORD) == {MANY: 1}


def test_an_address_that_is_counted_apart_opens_no_account(fan):
    """Otherwise letters that only the database folds together would multiply the attempts."""
    tried = [*islice(spellings(EMAIL), 0, None, 241)][:16]
    assert len({folded_address(email) for email in tried}) > 5
    for number, email in enumerate(tried):
        seen = PlainBrowser(REMOTE_ADDR=f"203.0.113.{number}").sign_in(email, PASSWORD)
        assert (seen.status == 302) is (folded_address(email) == EMAIL), email


def test_of_two_hundred_tries_at_one_address_five_count_at_known_and_unknown_ones_alike(fan, proxied):
    for client, email in enumerate((EMAIL, STRANGERS)):
        cased = list(islice(cycle([email.upper(), email, email.title()]), TRIES))
        said = guesses(proxied, cased, clients=lambda _, client=client: f"192.0.2.{client}")
        assert said == {WRONG: 5, MANY: TRIES - 5}, email
    assert guesses(proxied, [EMAIL], PASSWORD, clients=lambda _: "192.0.2.0") == {MANY: 1}
    assert guesses(proxied, [EMAIL], PASSWORD, clients=lambda _: "192.0.2.9") == {"in": 1}  # the owner


def test_two_hundred_clients_have_thirty_tries_at_one_address(fan, proxied):
    said = guesses(proxied, [EMAIL] * TRIES, clients=lambda number: f"198.51.100.{number}")
    assert said == {WRONG: 30, MANY: TRIES - 30}


def test_one_household_is_one_client_however_many_addresses_it_has(fan, proxied):
    said = guesses(proxied, [EMAIL] * 20, clients=lambda number: f"2001:db8:1:2:{number:x}::1")
    assert said == {WRONG: 5, MANY: 15}


def test_only_the_proxys_word_counts_and_only_behind_one(fan, direct):
    said = guesses(direct, [EMAIL] * 20, clients=lambda number: f"198.51.100.{number}")
    assert said == {WRONG: 5, MANY: 15}


def test_without_its_table_the_limiter_keeps_nobody_out_and_says_so(fan, tmp_path):
    with processes(tmp_path) as servers:
        assert guesses(servers, [EMAIL] * 6) == {WRONG: 5, MANY: 1}
        with as_owner() as cursor:
            cursor.execute("ALTER TABLE rate_limits RENAME TO rate_limits_gone")
        try:
            assert guesses(servers, [EMAIL], PASSWORD) == {"in": 1}
            assert guesses(servers, [EMAIL]) == {WRONG: 1}
        finally:
            with as_owner() as cursor:
                cursor.execute("ALTER TABLE rate_limits_gone RENAME TO rate_limits")
        assert guesses(servers, [EMAIL], PASSWORD) == {MANY: 1}  # earlier attempts still count
        for small in servers:
            small.end_quietly()
        said = servers[0].text + servers[1].text
    assert said.count("a sign-in was not counted") == 2
    assert "UndefinedTable" in said
    assert EMAIL not in said
    assert ErrorLog.objects.filter(message="a sign-in was not counted").count() == 2
