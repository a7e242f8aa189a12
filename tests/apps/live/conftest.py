"""Fixtures of the live tests: a long-time member, a live session, and rows of the live app."""

import datetime as dt

import pytest
from django.utils import timezone

from apps.accounts.models import User
from tests.factories import SessionFactory, UserFactory, viewer_of

LONG_AGO = dt.timedelta(days=30)


def member(**columns):
    """Return a viewer with an account that is a month old."""
    user = UserFactory(**columns)
    User.objects.filter(pk=user.pk).update(created_at=timezone.now() - LONG_AGO)
    return viewer_of(user)


@pytest.fixture
def fan(db):
    return member(username="una_corda")


@pytest.fixture
def session(db):
    return SessionFactory(is_live=True)
