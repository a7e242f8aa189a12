"""An account, and a browser that is signed in to it."""

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.accounts.services.accounts import account_create
from tests.factories import PASSWORD
from tests.project.accounts.profile.posting import signed_in


@pytest.fixture
def fan() -> User:
    return account_create(email="fan@example.org", password=PASSWORD, username="fan_of_g")


@pytest.fixture
def browser(client: Client, fan: User) -> Client:
    return signed_in(client)
