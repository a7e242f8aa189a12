"""Fixtures of the community tests: a long-time member and a newcomer."""

import pytest

from tests.apps.live.conftest import member
from tests.factories import UserFactory, viewer_of


@pytest.fixture
def fan(db):
    return member(username="una_corda")


@pytest.fixture
def newcomer(db):
    return viewer_of(UserFactory(username="newcomer"))
