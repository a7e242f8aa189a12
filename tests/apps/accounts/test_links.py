"""Test links in mails: each works once, for one purpose, and expires by PostgreSQL's clock."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from apps.accounts.mail import (
    EMAIL_CONFIRMATION,
    EXPIRED_LIFETIME,
    FIRST_FACTOR,
    PASSWORD_RESET,
    REGISTERED_BROWSER,
    link_account,
    link_create,
    link_use,
    links_forget,
    links_prune,
)
from apps.accounts.models import OneTimeLink, User
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
PURPOSES = [PASSWORD_RESET, EMAIL_CONFIRMATION, FIRST_FACTOR, REGISTERED_BROWSER]


def older(seconds: float) -> None:
    """Move the expiry of every link this many seconds back."""
    for link in OneTimeLink.objects.all():
        OneTimeLink.objects.filter(pk=link.pk).update(expires_at=link.expires_at - dt.timedelta(seconds=seconds))


def test_link_works_once_and_for_its_purpose_only():
    for purpose in PURPOSES:
        user = UserFactory()
        key = link_create(purpose=purpose, account_id=user.pk)
        assert key not in str(OneTimeLink.objects.values().get(user=user))
        for other in PURPOSES:
            if other is not purpose:
                assert link_account(purpose=other, key=key) is None
                assert link_use(purpose=other, key=key) is None
        assert [link_account(purpose=purpose, key=key) for _ in range(3)] == [user.pk] * 3
        assert link_use(purpose=purpose, key=key) == user.pk
        assert link_use(purpose=purpose, key=key) is None
        assert link_account(purpose=purpose, key=key) is None


def test_used_link_ends_the_others_of_its_account_and_purpose():
    user, other = UserFactory(), UserFactory()
    first, second = (link_create(purpose=PASSWORD_RESET, account_id=user.pk) for _ in range(2))
    others = link_create(purpose=PASSWORD_RESET, account_id=other.pk)
    confirmation = link_create(purpose=EMAIL_CONFIRMATION, account_id=user.pk)
    assert link_use(purpose=PASSWORD_RESET, key=first) == user.pk
    assert link_use(purpose=PASSWORD_RESET, key=second) is None
    assert link_account(purpose=PASSWORD_RESET, key=others) == other.pk
    assert link_account(purpose=EMAIL_CONFIRMATION, key=confirmation) == user.pk
    links_forget(account_id=other.pk, purpose=PASSWORD_RESET)
    assert link_account(purpose=PASSWORD_RESET, key=others) is None


def test_link_expires_after_the_age_of_its_purpose():
    for purpose in PURPOSES:
        key = link_create(purpose=purpose, account_id=UserFactory().pk)
        older(purpose.age - 60)
        assert link_account(purpose=purpose, key=key) is not None
        assert links_prune() == 0
        older(61)
        assert link_account(purpose=purpose, key=key) is None
        assert link_use(purpose=purpose, key=key) is None
        assert links_prune() == 0, "the clock may be wrong"
        older(EXPIRED_LIFETIME.total_seconds())
        assert links_prune() == 1


@pytest.mark.parametrize("jump", [dt.timedelta(days=2), dt.timedelta(days=-2)])
def test_link_expiry_ignores_the_process_clock(jump, monkeypatch):
    user = UserFactory()
    old = link_create(purpose=PASSWORD_RESET, account_id=user.pk)
    older(PASSWORD_RESET.age + 1)
    wrong = timezone.now() + jump
    monkeypatch.setattr("django.utils.timezone.now", lambda: wrong)
    monkeypatch.setattr("time.time", wrong.timestamp)
    new = link_create(purpose=PASSWORD_RESET, account_id=user.pk)
    assert link_account(purpose=PASSWORD_RESET, key=old) is None
    assert link_account(purpose=PASSWORD_RESET, key=new) == user.pk


def test_invalid_key_and_closed_account_are_refused():
    user = UserFactory()
    key = link_create(purpose=PASSWORD_RESET, account_id=user.pk)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert link_account(purpose=PASSWORD_RESET, key=key) is None
    assert link_use(purpose=PASSWORD_RESET, key=key) is None
    for key in ("", "nonsense", "\0", "\udcff", "x" * 10_000):
        assert link_account(purpose=PASSWORD_RESET, key=key) is None
        assert link_use(purpose=PASSWORD_RESET, key=key) is None


@pytest.mark.django_db(transaction=True)
def test_only_one_of_concurrent_uses_succeeds():
    user, barrier = UserFactory(), Barrier(4)
    keys = [link_create(purpose=PASSWORD_RESET, account_id=user.pk) for _ in range(2)] * 2

    def use(key: str) -> int | None:
        barrier.wait(30)
        try:
            return link_use(purpose=PASSWORD_RESET, key=key)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert sorted(map(bool, threads.map(use, keys))) == [False, False, False, True]
