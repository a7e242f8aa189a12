"""Password guessing against two real processes that share one database."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.cookies import SimpleCookie
from itertools import cycle, islice, product

import pytest
from django.db import connection

from apps.accounts.attempts import folded_address
from apps.accounts.services.accounts import account_create
from tests.e2e import content
from tests.factories import PASSWORD
from tests.project.plain_browser import PlainBrowser
from tests.project.small import Small
from tests.project.visitors import Visitor

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL, UNKNOWN = "fan@kinski.example", "unknown@kinski.example"
WRONG, TOO_MANY, BUSY = "Invalid login credentials", "Too many attempts", "Many people are logging in right now"
# Characters that could count as the same letter: upper case, PostgreSQL's or Python's case folding, accents.
FOLDED = {"k": "kK\u212a", "i": "iI\u0131\u0130\u00ed", "n": "nN\u0144", "s": "sS\u017f"}
GUESS = "wrong"
ATTEMPTS = 16
AT_ONCE = 8


def spellings(email):
    """Yield spellings of an address, beginning with the address itself."""
    return ("".join(letters) for letters in product(*(FOLDED.get(letter, letter) for letter in email)))


@pytest.fixture
def fan(transactional_db):
    return account_create(email=EMAIL, password=PASSWORD, username="kinski")


@pytest.fixture(scope="module")
def proxied(django_db_setup, tmp_path_factory):
    """Two processes behind a proxy, which names the client's address."""
    address = content.address(connection.settings_dict["NAME"])
    folders = [tmp_path_factory.mktemp("proxied") for _ in range(2)]
    started = [Small(folder, address, DRAIN_SECONDS="0", EMAIL_URL="", BEHIND_PROXY="1") for folder in folders]
    try:
        for small in started:
            small.start()
        yield started
    finally:
        for small in started:
            small.leave()


def outcome(response):
    """Return the outcome of an attempt: signed in, or the sentence that refuses it."""
    if response.status == 302:
        return "in"
    return next(
        (words for words in (WRONG, TOO_MANY, BUSY) if words in response.text), f"{response.status}: {response.text}"
    )


def guesses(servers, emails, password=GUESS, *, clients=None):
    """Return how often each outcome occurs when these attempts run concurrently.

    The attempts alternate between the processes. Each has its own browser, but all share one CSRF token and its cookie.
    """
    first = Visitor(servers[0])
    first.get("/login")

    def guess(number, email):
        headers = {"X_Real_IP": clients(number)} if clients else {}
        visitor = Visitor(servers[number % len(servers)], **headers)
        visitor.cookies, visitor.token = SimpleCookie(first.cookies.output(header="", sep=";")), first.token
        while (result := outcome(visitor.sign_in(email, password))) == BUSY:
            pass  # a slow machine; the password was not checked (test_hashing.py), so try again
        return result

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(guess, range(len(emails)), emails))


def test_spelling_with_its_own_counter_opens_no_account(fan):
    """Otherwise letters that only the database folds together would multiply the attempts."""
    emails = [*islice(spellings(EMAIL), 0, None, 241)][:16]
    assert len({folded_address(email) for email in emails}) > 5
    for number, email in enumerate(emails):
        response = PlainBrowser(REMOTE_ADDR=f"203.0.113.{number}").sign_in(email, PASSWORD)
        assert (response.status == 302) is (folded_address(email) == EMAIL), email


def test_five_attempts_per_client_for_known_and_unknown_addresses(fan, proxied):
    for client, email in enumerate((EMAIL, UNKNOWN)):
        cased = list(islice(cycle([email.upper(), email, email.title()]), ATTEMPTS))
        outcomes = guesses(proxied, cased, clients=lambda _, client=client: f"192.0.2.{client}")
        assert outcomes == {WRONG: 5, TOO_MANY: ATTEMPTS - 5}, email
    assert guesses(proxied, [EMAIL], PASSWORD, clients=lambda _: "192.0.2.0") == {TOO_MANY: 1}
    assert guesses(proxied, [EMAIL], PASSWORD, clients=lambda _: "192.0.2.9") == {"in": 1}  # the owner
