"""Somebody who has been a member for long, and one who is new."""

import pytest

from tests.apps.live.conftest import member
from tests.factories import UserFactory, viewer_of


@pytest.fixture
def fan(db):
    return member(username="una_corda")


@pytest.fixture
def newcomer(db):
    return viewer_of(UserFactory(username="newcomer"))
