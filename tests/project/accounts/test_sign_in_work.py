"""The work for an answer does not reveal whether an address has an account.

`make soak` measures the time as well (tests/soak/test_sign_in_times.py). These tests count rounds of hashing and calls.
"""

import cProfile
from itertools import count

import pytest

from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.hashing import COUNTED, CountingHasher
from tests.project.plain_browser import PlainBrowser, mails
from tests.rate_limits import attempts_clear

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL, WAITING = "fan@example.org", "waiting@example.org"
ALIKE = 0.1  # the tolerated difference in calls; the rounds of hashing are far more work than all of them
REPEATS = 3


def work(path, form, measure):
    """Post the form once and return its cost by this measure."""
    browser = PlainBrowser()
    token = browser.get(path).fields["csrfmiddlewaretoken"]["value"]
    answer, spent = measure(lambda: browser.client.post(path, {"csrfmiddlewaretoken": token, **form}))
    assert answer.status_code in (200, 302)
    attempts_clear()
    mails()
    return spent


def rounds(do):
    """Return the result and the number of hashing rounds, in any thread."""
    before = sum(CountingHasher.rounds)
    return do(), sum(CountingHasher.rounds) - before


def calls(do):
    """Return the result and the number of function calls in this thread."""
    profile = cProfile.Profile()
    answer = profile.runcall(do)
    return answer, sum(entry.callcount for entry in profile.getstats())


def least(form, measure):
    """Return the lowest of several measurements, for a known and for an unknown address.

    The two take turns, and the mails are sent before the next one. Other load can only increase a measurement.
    """
    path, known, unknown = form
    work(path, next(known), measure)  # the first request loads modules
    spent = [[work(path, next(forms), measure) for forms in (known, unknown)] for _ in range(REPEATS)]
    return tuple(map(min, zip(*spent, strict=True)))


def difference(form, measure):
    """Return the difference between the two kinds of addresses, as a fraction of the larger one."""
    less, most = sorted(least(form, measure))
    return 1 - less / most


def signing_in(email=EMAIL):
    """Return the path, and endless forms for a known and for an unknown address.

    The password has an accent, so that all forms in which it may be hashed are tried.
    """
    known = ({"login": email, "password": "wróng"} for _ in count())
    return "/login", known, ({"login": f"unknown{n}@example.org", "password": "wróng"} for n in count())


def signing_up():
    """Return the same for a registration."""
    known = ({"email": EMAIL, "username": f"new-{n}", "password1": PASSWORD} for n in count())
    unknown = ({"email": f"unknown{n}@example.org", "username": f"fresh-{n}", "password1": PASSWORD} for n in count())
    return "/register", known, unknown


def forgotten_password():
    """Return the same for a forgotten password, which hashes no password."""
    return (
        "/forgot-password",
        ({"email": EMAIL} for _ in count()),
        ({"email": f"unknown{n}@example.org"} for n in count()),
    )


def accounts_create():
    """Create the accounts with the known addresses. One of them is not confirmed."""
    account_create(email=WAITING, password=PASSWORD, username="waiting", is_verified=False)
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


@pytest.fixture
def fan(transactional_db, settings):
    settings.PASSWORD_HASHERS = COUNTED
    return accounts_create()


@pytest.mark.parametrize("form", [signing_in, lambda: signing_in(WAITING), signing_up])
def test_unknown_address_costs_as_many_hashing_rounds(fan, form):
    known, unknown = least(form(), rounds)
    assert known == unknown >= CountingHasher.iterations


@pytest.mark.parametrize(
    ("form", "alike"),
    [(signing_in, ALIKE), (lambda: signing_in(WAITING), ALIKE), (signing_up, ALIKE), (forgotten_password, ALIKE / 10)],
)
def test_unknown_address_costs_as_many_function_calls(fan, form, alike):
    assert difference(form(), calls) < alike
