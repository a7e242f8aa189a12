"""How long an answer takes must not tell who has an account: it is the same work, whoever's the address is."""

import cProfile
import time
from itertools import count

import pytest
from django.conf import global_settings
from django.core.cache import cache

from apps.accounts.services import account_create
from tests.factories import PASSWORD
from tests.project.doors import Door, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
ALIKE = 0.1  # of the work
ROUNDS = 5


def work(path, typed, measure):
    """What one form costs this thread, by this measure of a piece of work."""
    door = Door()
    token = door.get(path).fields["csrfmiddlewaretoken"]["value"]
    answer, spent = measure(lambda: door.client.post(path, {"csrfmiddlewaretoken": token, **typed}))
    assert answer.status_code in (200, 302)
    cache.clear()
    mails()
    return spent


def seconds(do):
    """The processor's, which somebody else's work does not lengthen much."""
    begun = time.thread_time()
    return do(), time.thread_time() - begun


def calls(do):
    """How many functions are called: where no password is hashed, a few milliseconds say less."""
    profile = cProfile.Profile()
    answer = profile.runcall(do)
    return answer, sum(each.callcount for each in profile.getstats())


def difference(path, known, unknown, measure=seconds):
    """How far apart the two kinds of addresses are, as a part of the whole; mails are out of the way.

    They take turns, and the least of several is the work itself: whatever else the machine does can only add to it.
    """
    work(path, next(known), measure)  # the first of all loads what others find loaded
    spent = [[work(path, next(each), measure) for each in (known, unknown)] for _ in range(ROUNDS)]
    least, most = sorted(map(min, zip(*spent, strict=True)))
    return 1 - least / most


@pytest.fixture
def fan(transactional_db, settings):
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS  # with all their rounds, as a real process has them
    account_create(email="confirm@example.org", password=PASSWORD, username="waiting", is_verified=False)
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


def test_signing_in(fan):
    known = ({"login": EMAIL, "password": "wrong"} for _ in count())
    unknown = ({"login": f"nobody{n}@example.org", "password": "wrong"} for n in count())
    assert difference("/login", known, unknown) < ALIKE


def test_signing_in_to_an_address_that_waits_to_be_confirmed(fan):
    known = ({"login": "confirm@example.org", "password": "wrong"} for _ in count())
    unknown = ({"login": f"nobody{n}@example.org", "password": "wrong"} for n in count())
    assert difference("/login", known, unknown) < ALIKE


def test_signing_up(fan):
    known = ({"email": EMAIL, "username": f"new-{n}", "password1": PASSWORD} for n in count())
    unknown = ({"email": f"nobody{n}@example.org", "username": f"fresh-{n}", "password1": PASSWORD} for n in count())
    assert difference("/register", known, unknown) < ALIKE


def test_forgetting(fan):
    known = ({"email": EMAIL} for _ in count())
    unknown = ({"email": f"nobody{n}@example.org"} for n in count())
    assert difference("/forgot-password", known, unknown, calls) < ALIKE / 10
