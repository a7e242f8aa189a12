"""An account with a browser, and a session, for commands that are posted."""

import pytest
from django.test import Client

from apps.accounts.services.accounts import account_create
from tests.components.conftest import busy_session_with
from tests.factories import PASSWORD
from tests.project.accounts.profile.posting import signed_in


@pytest.fixture
def fan():
    return account_create(email="fan@example.org", password=PASSWORD, username="fan_of_g")


@pytest.fixture
def browser(fan):
    return signed_in(Client(enforce_csrf_checks=False))


@pytest.fixture
def session():
    return busy_session_with(1).session
