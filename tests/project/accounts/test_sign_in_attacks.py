"""Password guessing against two real processes that share one database."""

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
from tests.waiting import wait_until

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


@contextmanager
def processes(folder, count, **environment):
    """Web processes on the test's database."""
    address = content.address(connection.settings_dict["NAME"])
    started = []
    try:
        for number in range(count):
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
    """A process without a proxy."""
    with processes(tmp_path_factory.mktemp("direct"), 1) as started:
        yield started


@pytest.fixture(scope="module")
def proxied(django_db_setup, tmp_path_factory):
    """Two processes behind a proxy, which names the client's address."""
    with processes(tmp_path_factory.mktemp("proxied"), 2, BEHIND_PROXY="1") as started:
        yield started


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


def test_client_address_header_counts_only_behind_a_proxy(fan, direct):
    outcomes = guesses(direct, [EMAIL] * 10, clients=lambda number: f"198.51.100.{number}")
    assert outcomes == {WRONG: 5, TOO_MANY: 5}


def test_missing_rate_limit_table_allows_sign_ins_and_is_logged(fan, proxied):
    def here(_):
        return "192.0.2.50"

    message, begins = "a sign-in was not counted", [len(small.text) for small in proxied]
    assert guesses(proxied, [EMAIL] * 6, clients=here) == {WRONG: 5, TOO_MANY: 1}
    with as_owner() as cursor:
        cursor.execute("ALTER TABLE rate_limits RENAME TO rate_limits_gone")
    try:
        assert guesses(proxied, [EMAIL], PASSWORD, clients=here) == {"in": 1}
        assert guesses(proxied, [EMAIL], clients=here) == {WRONG: 1}
    finally:
        with as_owner() as cursor:
            cursor.execute("ALTER TABLE rate_limits_gone RENAME TO rate_limits")
    assert guesses(proxied, [EMAIL], PASSWORD, clients=here) == {TOO_MANY: 1}  # earlier attempts still count
    logged = ErrorLog.objects.filter(message=message)
    wait_until(lambda: sum(logged.values_list("times", flat=True)) == 2, "both errors are stored")
    log = "".join(small.text[begin:] for small, begin in zip(proxied, begins, strict=True))
    assert log.count(message) == 2
    assert "UndefinedTable" in log
    assert EMAIL not in log
