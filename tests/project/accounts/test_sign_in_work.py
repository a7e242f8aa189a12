"""How much work an answer takes must not tell who has an account: it is the same, whoever's the address is.

`make soak` measures the time as well (tests/soak/test_sign_in_times.py); here rounds of hashing and calls are counted.
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
ALIKE = 0.1  # of the calls, where the rounds of hashing are far more work than all of them
REPEATS = 5


def work(path, typed, measure):
    """What one form costs, by this measure of a piece of work."""
    plain_browser = PlainBrowser()
    token = plain_browser.get(path).fields["csrfmiddlewaretoken"]["value"]
    answer, spent = measure(lambda: plain_browser.client.post(path, {"csrfmiddlewaretoken": token, **typed}))
    assert answer.status_code in (200, 302)
    attempts_clear()
    mails()
    return spent


def rounds(do):
    """How many rounds of hashing are done, in whatever thread."""
    before = sum(CountingHasher.rounds)
    return do(), sum(CountingHasher.rounds) - before


def calls(do):
    """How many functions are called in this thread."""
    profile = cProfile.Profile()
    answer = profile.runcall(do)
    return answer, sum(each.callcount for each in profile.getstats())


def least(form, measure):
    """The least of several measurements of a form, for a known and for an unknown address: the work itself.

    They take turns, and mails are out of the way: whatever else the machine does can only add to the work.
    """
    path, known, unknown = form
    work(path, next(known), measure)  # the first of all loads what others find loaded
    spent = [[work(path, next(each), measure) for each in (known, unknown)] for _ in range(REPEATS)]
    return tuple(map(min, zip(*spent, strict=True)))


def difference(form, measure):
    """How far apart the two kinds of addresses are, as a part of the whole."""
    less, most = sorted(least(form, measure))
    return 1 - less / most


def signing_in(email=EMAIL):
    """A form, what is typed for an address that is known, and for one that is not."""
    known = ({"login": email, "password": "wrong"} for _ in count())
    return "/login", known, ({"login": f"nobody{n}@example.org", "password": "wrong"} for n in count())


def signing_up():
    """The same of a registration."""
    known = ({"email": EMAIL, "username": f"new-{n}", "password1": PASSWORD} for n in count())
    unknown = ({"email": f"nobody{n}@example.org", "username": f"fresh-{n}", "password1": PASSWORD} for n in count())
    return "/register", known, unknown


def forgetting():
    """The same of a forgotten password, where nothing is hashed."""
    return (
        "/forgot-password",
        ({"email": EMAIL} for _ in count()),
        ({"email": f"nobody{n}@example.org"} for n in count()),
    )


def accounts_create():
    """The accounts whose addresses are known; one waits to be confirmed."""
    account_create(email=WAITING, password=PASSWORD, username="waiting", is_verified=False)
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


@pytest.fixture
def fan(transactional_db, settings):
    settings.PASSWORD_HASHERS = COUNTED
    return accounts_create()


@pytest.mark.parametrize("form", [signing_in, lambda: signing_in(WAITING), signing_up])
def test_passwords_are_hashed_as_long(fan, form):
    known, unknown = least(form(), rounds)
    assert known == unknown >= CountingHasher.iterations


@pytest.mark.parametrize(
    ("form", "alike"),
    [(signing_in, ALIKE), (lambda: signing_in(WAITING), ALIKE), (forgetting, ALIKE / 10)],
)
def test_as_much_is_done(fan, form, alike):
    """A registration is left out: an account is made or is not, beside which a million rounds are much."""
    assert difference(form(), calls) < alike
