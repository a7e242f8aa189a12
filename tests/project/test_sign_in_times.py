"""How long an answer takes must not tell who has an account: the same work, measured by the processor's clock."""

import time
from itertools import count
from statistics import median

import pytest
from django.core.cache import cache

from apps.accounts.services import account_create
from tests.factories import PASSWORD
from tests.project.doors import Door, mails

pytestmark = pytest.mark.django_db(transaction=True)
EMAIL = "fan@example.org"
ALIKE = 0.1  # of the time


def work(door, path, typed):
    """The processor's seconds for one form, in this thread."""
    page = door.get(path)
    begun = time.thread_time()
    answer = door.client.post(path, {"csrfmiddlewaretoken": page.fields["csrfmiddlewaretoken"]["value"], **typed})
    spent = time.thread_time() - begun
    assert answer.status_code in (200, 302)
    cache.clear()
    return spent


def difference(path, known, unknown, rounds):
    """How far apart the two kinds of addresses are, as a part of the whole, taking turns; mails are out of the way."""
    work(Door(), path, next(known))  # the first of all loads what others find loaded
    times = [
        (work(Door(), path, next(known)), mails(), work(Door(), path, next(unknown)), mails()) for _ in range(rounds)
    ]
    one, other = median(each[0] for each in times), median(each[2] for each in times)
    return abs(one - other) / max(one, other)


@pytest.fixture
def fan(transactional_db):
    account_create(email="confirm@example.org", password=PASSWORD, username="waiting", is_verified=False)
    return account_create(email=EMAIL, password=PASSWORD, username="fan")


def test_signing_in(fan):
    known = ({"login": EMAIL, "password": "wrong"} for _ in count())
    unknown = ({"login": f"nobody{n}@example.org", "password": "wrong"} for n in count())
    assert difference("/login", known, unknown, 7) < ALIKE


def test_signing_in_to_an_address_that_waits_to_be_confirmed(fan):
    known = ({"login": "confirm@example.org", "password": "wrong"} for _ in count())
    unknown = ({"login": f"nobody{n}@example.org", "password": "wrong"} for n in count())
    assert difference("/login", known, unknown, 7) < ALIKE


def test_signing_up(fan):
    known = ({"email": EMAIL, "username": f"new-{n}", "password1": PASSWORD} for n in count())
    unknown = ({"email": f"nobody{n}@example.org", "username": f"fresh-{n}", "password1": PASSWORD} for n in count())
    assert difference("/register", known, unknown, 7) < ALIKE


def test_forgetting(fan):
    known = ({"email": EMAIL} for _ in count())
    unknown = ({"email": f"nobody{n}@example.org"} for n in count())
    assert difference("/forgot-password", known, unknown, 25) < ALIKE
